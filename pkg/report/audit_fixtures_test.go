package report

import (
	"fmt"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

var (
	fullGuard    = audit.Guard{Create: audit.ProtectionBlocked, Add: audit.ProtectionStripped, Edit: audit.ProtectionReverted, Remove: audit.ProtectionRestored}
	partialGuard = audit.Guard{Create: audit.ProtectionBlocked, Add: audit.ProtectionBlocked, Edit: audit.ProtectionWarned, Remove: audit.ProtectionAllowed}
	noGuard      = audit.Guard{Create: audit.ProtectionAllowed, Add: audit.ProtectionAllowed, Edit: audit.ProtectionAllowed, Remove: audit.ProtectionAllowed}
	unknownGuard = audit.Guard{Create: audit.ProtectionBlocked, Add: audit.ProtectionUnknown, Edit: audit.ProtectionBlocked, Remove: audit.ProtectionBlocked}
)

func excluded() audit.Annotation {
	return audit.Annotation{
		Key: "downscaler/exclude", Value: "true", Valid: true, Meaning: "always", SetBy: "kubectl-annotate", SetAt: "2026-11-01T10:00:00Z",
	}
}

func invalidUptime() audit.Annotation {
	return audit.Annotation{Key: "downscaler/uptime", Value: "Mon-Fry 08:00-20:00", Problem: `"Fry" is not a weekday`}
}

func notDenying() audit.Finding {
	return audit.Finding{
		ID: "binding-does-not-deny", Severity: audit.High,
		Subject:  audit.Subject{Kind: "ValidatingAdmissionPolicyBinding", Name: "block-all", Field: "spec.validationActions"},
		Message:  "The binding's actions are [Warn], so an unauthorised change is let through with a warning that few people read.",
		Evidence: "kubectl downscaler-compliance simulate as-user dev deploy/web -n team-a --set downscaler/exclude=true",
		Remedy:   "Set spec.validationActions to [Deny].",
	}
}

func uncovered(kind string) audit.Finding {
	return audit.Finding{
		ID: "kind-not-covered", Severity: audit.Medium, Subject: audit.Subject{Kind: kind},
		Message: "The downscaler scales this kind, and no policy's rules list it.", Remedy: "Add the kind to the policy's resourceRules.",
	}
}

// auditOf is a report as audit makes it.
func auditOf(objects []audit.Object, found ...audit.Finding) *audit.Report {
	report := &audit.Report{
		APIVersion: simulate.APIVersion, Kind: "AuditReport",
		Server:    inventory.Server{Version: "v1.37.1", Source: inventory.SourceCluster},
		Requester: request.NewRequester("ordinary", nil, "", nil),
		Objects:   objects, Findings: found,
		Summary: audit.Summary{Objects: len(objects), Findings: map[audit.Severity]int{}},
	}
	for _, severity := range severities {
		report.Summary.Findings[severity] = 0
	}
	for _, finding := range found {
		report.Summary.Findings[finding.Severity]++
	}
	for i := range objects {
		if objects[i].Resource == "" {
			objects[i].Resource = plural(objects[i].Object) + map[string]string{"apps/v1": ".apps"}[objects[i].Object.APIVersion]
		}
	}
	for _, object := range objects {
		if len(object.Annotations) > 0 {
			report.Summary.Annotated++
		}
		guarded := map[audit.Level]*int{
			audit.LevelFull: &report.Summary.Guarded.Full, audit.LevelPartial: &report.Summary.Guarded.Partial,
			audit.LevelNone: &report.Summary.Guarded.None, audit.LevelUnknown: &report.Summary.Guarded.Unknown,
		}
		*guarded[object.Guard.Level()]++
		if object.Guard.Level() == audit.LevelFull && len(object.Bypasses()) > 0 {
			report.Summary.Bypassed++
		}
	}
	return report
}

// everyGuard has an object of each guard, findings of two sorts, and notes.
func everyGuard() *audit.Report {
	report := auditOf([]audit.Object{
		{Object: simulate.ObjectRef{APIVersion: "v1", Kind: "Namespace", Name: "team-a"}, Guard: noGuard},
		{Object: deployment("team-a", "api"), Guard: fullGuard},
		{Object: deployment("team-a", "web"), Guard: partialGuard, Annotations: []audit.Annotation{excluded(), invalidUptime()}},
		{Object: deployment("team-b", "shop"), Guard: unknownGuard},
	}, uncovered("Rollout"), notDenying(), uncovered("CronJob"))
	report.Incomplete = []inventory.Gap{
		{What: "kafkabridges.kafka.strimzi.io", Why: "forbidden"}, {What: "rollouts.argoproj.io", Why: "forbidden"},
		{What: "stacks.zalando.org", Why: "forbidden"}, {What: "jobs.batch", Why: "forbidden"}, {What: "jobs.batch", Why: "forbidden"},
	}
	return report
}

// bypassed has objects that are fully guarded with and without ways around, and a namespace that is partly guarded.
func bypassed() *audit.Report {
	open := audit.SubresourceGuard{Name: "status", Add: audit.ProtectionAllowed, Edit: audit.ProtectionWarned, Remove: audit.ProtectionAllowed}
	half := audit.SubresourceGuard{Name: "finalize", Add: audit.ProtectionAllowed, Edit: audit.ProtectionUnknown, Remove: audit.ProtectionBlocked}
	closed := audit.SubresourceGuard{Name: "status", Add: audit.ProtectionBlocked, Edit: audit.ProtectionBlocked, Remove: audit.ProtectionBlocked}
	finalize := open
	finalize.Name = "finalize"
	objects := []audit.Object{
		{Object: simulate.ObjectRef{APIVersion: "v1", Kind: "Namespace", Name: "full"}, Guard: fullGuard, Subresources: []audit.SubresourceGuard{open, finalize}},
		{Object: simulate.ObjectRef{APIVersion: "v1", Kind: "Namespace", Name: "half"}, Guard: fullGuard, Subresources: []audit.SubresourceGuard{open, half}},
		{Object: simulate.ObjectRef{APIVersion: "v1", Kind: "Namespace", Name: "partial"}, Guard: partialGuard, Subresources: []audit.SubresourceGuard{open, finalize}},
		{Object: deployment("team-a", "api"), Guard: fullGuard, Subresources: []audit.SubresourceGuard{closed}},
		{Object: deployment("team-a", "web"), Guard: fullGuard, Subresources: []audit.SubresourceGuard{open}, Annotations: []audit.Annotation{excluded()}},
	}
	report := auditOf(objects)
	report.Requester = audit.OrdinaryUser()
	report.StateFlags = []string{"--from", "my files"}
	return report
}

// unreadAudit could read nothing of one namespace.
func unreadAudit() *audit.Report {
	report := auditOf(nil)
	report.Scope = audit.Scope{Namespace: "default"}
	report.Incomplete = []inventory.Gap{{What: "deployments.apps", Why: "forbidden"}}
	return report
}

// scoped is the audit of one namespace's objects with a label, all guarded but by /status.
func scoped() *audit.Report {
	report := bypassed()
	report = auditOf(report.Objects[4:])
	report.Requester = audit.OrdinaryUser()
	report.Scope = audit.Scope{Namespace: "team-a", Selector: "app=web"}
	return report
}

// manyGuards has n objects; most are fully guarded, one in ten is not guarded, one in a hundred is annotated.
func manyGuards(n int) *audit.Report {
	objects := make([]audit.Object, 0, n)
	var found []audit.Finding
	for i := range n {
		object := audit.Object{Object: deployment(fmt.Sprintf("team-%03d", i/100), fmt.Sprintf("web-%05d", i)), Guard: fullGuard}
		if i%10 == 0 {
			object.Guard = noGuard
		}
		if i%100 == 1 {
			object.Annotations = []audit.Annotation{excluded()}
			finding := uncovered("Deployment")
			finding.Message = fmt.Sprintf("Message %d.", i)
			found = append(found, finding)
		}
		objects = append(objects, object)
	}
	return auditOf(objects, found...)
}
