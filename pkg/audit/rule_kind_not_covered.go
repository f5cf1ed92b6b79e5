package audit

import (
	"context"
	"fmt"
	"slices"
	"sync"

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
			findings = append(findings, v.kindFinding(ctx, t, guards, known))
		}
	}
	return findings, nil
}

func (v *view) kindFinding(ctx context.Context, t *tally, guards []guardPolicy, known bool) Finding {
	why := fmt.Sprintf("No rule of %s lists %s", names(guards), typeOf(t.kind))
	remedy := fmt.Sprintf("Add %s to the resourceRules of %s, for CREATE and UPDATE.", typeOf(t.kind), names(ofWorkloads(guards)))
	if c, found := v.listedInVain(ctx, t, guards); found {
		why, remedy = c.inVain(t), c.remedy
	}
	return Finding{
		Severity: severityOfKind(t, known),
		Subject:  Subject{Kind: t.kind.Kind.Kind}, Distinct: typeOf(t.kind),
		Message: fmt.Sprintf("%s, so that annotations may be added to, edited on and removed from each of the %s in %s.",
			why, count(t.objects, "object", "objects"), count(v.namespacesWith(t.kind), "namespace", "namespaces")),
		Evidence: v.evidence(*t.open, ""),
		Remedy:   remedy,
	}
}

// listedInVain is why a policy does not see a kind that one of its rules lists: in another scope or version, or because another rule leaves it out again.
func (v *view) listedInVain(ctx context.Context, t *tally, guards []guardPolicy) (cause, bool) {
	again, found, err := v.probeAgain(ctx, *t.open)
	if err != nil || !found {
		return cause{}, false
	}
	listing := slices.DeleteFunc(slices.Clone(guards), func(p guardPolicy) bool {
		return p.match == nil || !slices.ContainsFunc(p.match.ResourceRules, unlisting{kind: t.kind}.lists)
	})
	c, found := v.causeOf(ctx, listing, again.Probe)
	return c, found && (c.by() == "resourceRules" || c.by() == "excludeResourceRules")
}

// inVain says it in a sentence's beginning.
func (c cause) inVain(t *tally) string {
	return fmt.Sprintf("%s %s lists %s and does not see it: %s", c.policy.kind, c.policy.name, typeOf(t.kind), c.why)
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
		return !slices.ContainsFunc(downscaler.Kinds(), func(kind downscaler.Kind) bool { return policy.Lists(p.match, kind.Resource.GroupResource()) })
	})
	if len(listing) == 0 {
		return guards
	}
	return listing
}
