package audit

import (
	"context"
	"fmt"
	"slices"
	"sync"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// kindNotCovered: a kind that the downscaler scales and no rule of the guard lists. The kinds are those that the options
// name, else those that the downscaler's own arguments name, and those of its table otherwise. It needs objects of the kind,
// on which every change passes. Namespaces and objects that a selector leaves out are another matter.
var kindNotCovered = rule{
	Rule: Rule{ID: "kind-not-covered", Severity: High, Title: "No rule of the guard lists a kind that the downscaler scales"},
	find: findKindNotCovered,
}

func findKindNotCovered(ctx context.Context, v *view) ([]Finding, error) {
	var findings []Finding
	scaled := sync.OnceValues(func() (map[schema.GroupResource]bool, bool) { return v.scaledResources(ctx) })
	for _, t := range v.kinds {
		if isNamespace(t.kind) {
			continue
		}
		guards, err := v.leavesOut(ctx, t)
		if err != nil {
			return nil, err
		}
		if len(guards) == 0 {
			continue
		}
		resources, known := scaled()
		if !known || resources[t.kind.Resource.GroupResource()] {
			findings = append(findings, v.kindFinding(t, guards, known))
		}
	}
	return findings, nil
}

func (v *view) kindFinding(t *tally, guards []guardPolicy, known bool) Finding {
	return Finding{
		Severity: severityOfKind(t, known),
		Subject:  Subject{Kind: t.kind.Kind.Kind},
		Message: fmt.Sprintf("No rule of %s lists %s, so that annotations may be added to, edited on and removed from each of the %s in %s.",
			names(guards), typeOf(t.kind), count(t.objects, "object", "objects"), count(v.namespacesWith(t.kind), "namespace", "namespaces")),
		Evidence: v.evidence(*t.open, ""),
		Remedy:   fmt.Sprintf("Add %s to the resourceRules of %s, for CREATE and UPDATE.", typeOf(t.kind), names(ofWorkloads(guards))),
	}
}

// severityOfKind: high where the downscaler is known to scale the kind, and for what it scales unless told
// otherwise; else it may never do so.
func severityOfKind(t *tally, known bool) Severity {
	if known || t.kind.Resource.GroupResource().String() == "deployments.apps" {
		return High
	}
	return Medium
}

// leavesOut returns the enforced policies of the guard if there are any and none of their rules lists a kind, all of whose objects
// are open.
func (v *view) leavesOut(ctx context.Context, t *tally) ([]guardPolicy, error) {
	for _, column := range Columns() {
		open := t.guards[column][ProtectionAllowed]
		if column == ColumnCreate {
			open += t.guards[column][ProtectionUnknown] // such as in a namespace that was not read
		}
		if open != t.objects {
			return nil, nil
		}
	}
	guards, err := v.enforcedGuards(ctx)
	if err != nil || len(guards) == 0 {
		return nil, err
	}
	all, err := v.tryOpened(ctx, guards, v.sampleOf(t.kind).first.object)
	if err != nil {
		return nil, err
	}
	for _, one := range all {
		for _, s := range one.result.Steps {
			if s.Policy != "" && s.Decision != policy.NotMatched {
				return nil, nil
			}
		}
	}
	return guards, nil
}

// ofWorkloads are the policies that list some kind that the downscaler scales: one more of these belongs there, and not where only namespaces
// or ReplicaSets are listed. Where none does, it may be any.
func ofWorkloads(guards []guardPolicy) []guardPolicy {
	listing := slices.DeleteFunc(slices.Clone(guards), func(p guardPolicy) bool {
		return !slices.ContainsFunc(downscaler.Kinds(), func(kind downscaler.Kind) bool { return p.lists(kind.Resource.GroupResource()) })
	})
	if len(listing) == 0 {
		return guards
	}
	return listing
}

// lists says whether a rule of the policy names a resource.
func (p guardPolicy) lists(resource schema.GroupResource) bool {
	var match *admissionregistrationv1.MatchResources
	switch object := p.object.(type) {
	case *admissionregistrationv1.ValidatingAdmissionPolicy:
		match = object.Spec.MatchConstraints
	case *admissionregistrationv1.MutatingAdmissionPolicy:
		match = object.Spec.MatchConstraints
	}
	return match != nil && slices.ContainsFunc(match.ResourceRules, func(r admissionregistrationv1.NamedRuleWithOperations) bool {
		return slices.Contains(r.APIGroups, resource.Group) && slices.Contains(r.Resources, resource.Resource)
	})
}
