package report

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

func ptr(s string) *string { return &s }

func deployment(namespace, name string) simulate.ObjectRef {
	return simulate.ObjectRef{APIVersion: "apps/v1", Kind: "Deployment", Namespace: namespace, Name: name}
}

func denial(name string) *metav1.Status {
	return &metav1.Status{
		Status: metav1.StatusFailure, Code: 403, Reason: metav1.StatusReasonForbidden,
		Message: `deployments.apps "` + name + `" is forbidden: ValidatingAdmissionPolicy 'block' with binding 'block-all' ` +
			`denied request: unauthorised addition of downscaler annotations`,
	}
}

func denied() policy.Step {
	return policy.Step{
		Phase: policy.PhaseValidating, Kind: "ValidatingAdmissionPolicy", Policy: "block", Binding: "block-all",
		Decision: policy.Denied, Message: "unauthorised addition of downscaler annotations",
		Because: policy.Because{Rule: "validations[0]", Expression: "!variables.added"},
	}
}

func skipped() policy.Step {
	return policy.Step{
		Phase: policy.PhaseValidating, Kind: "ValidatingAdmissionPolicy", Policy: "block", Binding: "block-all",
		Param: "team-a/settings", Decision: policy.Skipped,
		Because: policy.Because{MatchCondition: "not-ops", Expression: `request.userInfo.username != "ops"`},
	}
}

func blocked(ref simulate.ObjectRef) simulate.Result {
	return simulate.Result{
		Object: ref, Operation: "UPDATE", Verb: "patch", Outcome: simulate.Blocked, Status: denial(ref.Name),
		PossibleStatuses: []metav1.Status{*denial(ref.Name)},
		Annotations: []simulate.Annotation{{
			Key: "downscaler/exclude", Change: simulate.Added, Proposed: ptr("true"), Effect: simulate.EffectBlocked,
			By: []simulate.By{{Kind: "ValidatingAdmissionPolicy", Policy: "block", Binding: "block-all"}},
		}},
		Steps: []policy.Step{denied()},
	}
}

func allowed(ref simulate.ObjectRef) simulate.Result {
	return simulate.Result{
		Object: ref, Operation: "UPDATE", Verb: "patch", Outcome: simulate.Allowed,
		Annotations: []simulate.Annotation{{
			Key: "downscaler/exclude", Change: simulate.Edited, Before: ptr("false"), Proposed: ptr("true"), After: ptr("true"),
			Effect: simulate.EffectKept,
		}},
		Steps: []policy.Step{skipped()},
	}
}

func altered(ref simulate.ObjectRef) simulate.Result {
	by := []simulate.By{{Kind: "MutatingAdmissionPolicy", Policy: "strip", Binding: "strip-all"}}
	return simulate.Result{
		Object: ref, Operation: "UPDATE", Verb: "patch", Outcome: simulate.Altered,
		Annotations: []simulate.Annotation{
			{Key: "downscaler/exclude", Change: simulate.Added, Proposed: ptr("true"), Effect: simulate.EffectStripped, By: by},
			{Key: "downscaler/grace-period", Change: simulate.Unchanged, Before: ptr("60"), Proposed: ptr("60"), After: ptr("60"), Effect: simulate.EffectKept},
			{Key: "downscaler/uptime", Change: simulate.Edited, Before: ptr("never"), Proposed: ptr("always"), After: ptr("never"), Effect: simulate.EffectReverted, By: by},
		},
		Steps: []policy.Step{{
			Phase: policy.PhaseMutating, Kind: "MutatingAdmissionPolicy", Policy: "strip", Binding: "strip-all", Decision: policy.Mutated,
			Changes: []policy.Change{{Key: "downscaler/exclude", Before: ptr("true")}, {Key: "downscaler/uptime", Before: ptr("always"), After: ptr("never")}},
		}},
	}
}

func unknown(ref simulate.ObjectRef) simulate.Result {
	gap := inventory.Gap{What: "policy convert", Why: "the schema of rollouts.argoproj.io is not known"}
	return simulate.Result{
		Object: ref, Operation: "UPDATE", Verb: "patch", Outcome: simulate.Unknown,
		Annotations: []simulate.Annotation{{Key: "downscaler/exclude", Change: simulate.Removed, Before: ptr("true"), Effect: simulate.EffectUnknown}},
		Incomplete:  []inventory.Gap{gap},
	}
}

// simulationOf is a report as simulate makes it.
func simulationOf(results ...simulate.Result) *simulate.Report {
	report := &simulate.Report{
		APIVersion: simulate.APIVersion, Kind: "SimulationReport",
		Server:    inventory.Server{Version: "v1.37.1", Source: inventory.SourceFiles},
		Requester: request.NewRequester("dev", nil, "", nil),
		Results:   results,
	}
	for _, result := range results {
		report.Summary.Objects++
		switch result.Outcome {
		case simulate.Allowed:
			report.Summary.Allowed++
		case simulate.Altered:
			report.Summary.Altered++
		case simulate.Blocked:
			report.Summary.Blocked++
		case simulate.Unknown:
			report.Summary.Unknown++
		}
		report.Incomplete = append(report.Incomplete, result.Incomplete...)
	}
	return report
}

// everyOutcome has one object of each outcome, and requests of several sorts.
func everyOutcome() *simulate.Report {
	warned := allowed(simulate.ObjectRef{APIVersion: "v1", Kind: "Namespace", Name: "team-a"})
	warned.Subresource, warned.Warnings = "status", []string{"Validation failed for ValidatingAdmissionPolicy 'block': please don't"}
	warned.Steps = append(warned.Steps, policy.Step{
		Phase: policy.PhaseValidating, Kind: "ValidatingAdmissionPolicy", Policy: "block", Binding: "warn", Decision: policy.Warned, Message: "please don't",
	})
	created := simulate.Result{
		Object:    simulate.ObjectRef{APIVersion: "batch/v1", Kind: "Job", Namespace: "team-a", GenerateName: "load-"},
		Operation: "CREATE", Verb: "create", Outcome: simulate.Allowed,
	}
	report := simulationOf(warned, created, allowed(deployment("team-a", "api")), altered(deployment("team-a", "cache")),
		blocked(deployment("team-a", "web")), unknown(simulate.ObjectRef{APIVersion: "argoproj.io/v1alpha1", Kind: "Rollout", Namespace: "team-b", Name: "shop"}))
	report.Incomplete = append(report.Incomplete, inventory.Gap{What: "policy convert", Why: "the schema of rollouts.argoproj.io is not known"})
	report.Assumptions = []inventory.Gap{{What: "authorization", Why: "the files hold no RBAC objects, so RBAC was not asked"}}
	return report
}

// manyOutcomes has n results: one in ten is blocked, the rest would pass.
func manyOutcomes(n int) *simulate.Report {
	results := make([]simulate.Result, 0, n)
	for i := range n {
		ref := deployment(fmt.Sprintf("team-%03d", i/100), fmt.Sprintf("web-%05d", i))
		if i%10 == 0 {
			results = append(results, blocked(ref))
		} else {
			results = append(results, allowed(ref))
		}
	}
	return simulationOf(results...)
}
