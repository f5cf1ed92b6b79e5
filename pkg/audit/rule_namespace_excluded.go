package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// namespaceExcluded: the namespaceSelector of a policy, or of its bindings, leaves out a namespace with objects on which changes pass, of a kind that
// the policy guards elsewhere. It is found by putting a guarded object into that namespace and making the same change again.
var namespaceExcluded = rule{
	Rule: Rule{ID: "namespace-excluded", Severity: Medium, Title: "A selector leaves out a namespace that has workloads"},
	find: findNamespaceExcluded,
}

func findNamespaceExcluded(ctx context.Context, v *view) ([]Finding, error) {
	guards, err := v.enforcedGuards(ctx)
	if err != nil {
		return nil, err
	}
	var findings []Finding
	for _, p := range guards {
		for _, s := range selectings(p) {
			if s.match.NamespaceSelector == nil || s.leftOutOtherwise() {
				continue
			}
			left := v.leftOut(ctx, s)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if len(left) > 0 {
				findings = append(findings, v.namespaceExcludedFinding(s, left))
			}
		}
	}
	return findings, nil
}

// leftOutOtherwise says whether another binding of the policy may cover what this one leaves out: then it is told of the last of them.
func (s selecting) leftOutOtherwise() bool {
	if s.subject.Kind == s.policy.kind {
		return false
	}
	var last string
	for _, b := range s.policy.bindings {
		if b.enforces {
			last = b.object.GetName()
		}
	}
	return last != s.subject.Name
}

// excluded is a namespace that is left out, with a change that passes there.
type excluded struct {
	namespace string
	shown     example
}

// leftOut are the namespaces that no selector like this one's selects, by name.
func (v *view) leftOut(ctx context.Context, s selecting) []excluded {
	var found []excluded
	for _, stop := range v.stops(s.policy.policyName) {
		for at, t := range v.gathered.tallies {
			known := slices.ContainsFunc(found, func(e excluded) bool { return e.namespace == at.namespace })
			if at.kind != stop.object.Kind.Kind.GroupKind() || at.namespace == "" || known || t.open == nil || t.guards[stop.Column][ProtectionAllowed] == 0 {
				continue
			}
			if !v.selectorLeavesOut(ctx, s, at.namespace) {
				continue
			}
			if passed, passes := v.passesAt(ctx, s.policy.policyName, stop, at.namespace); passes {
				found = append(found, excluded{at.namespace, shownOf(t, passed)})
			}
		}
	}
	slices.SortFunc(found, func(a, b excluded) int { return cmp.Compare(a.namespace, b.namespace) })
	return found
}

// shownOf is a change of the same kind that passes on an object of the namespace, else that of the object that was put there.
func shownOf(t *tally, passed tried) example {
	if t.open.Column == passed.Column {
		return *t.open
	}
	e := exampleOf(passed)
	e.Copied = true // no command can make it, but the audit
	return e
}

// selectorLeavesOut is asked before a request is made: most namespaces are selected.
func (v *view) selectorLeavesOut(ctx context.Context, s selecting, name string) bool {
	namespace, err := v.inventory.Namespace(ctx, name)
	selector, invalid := metav1.LabelSelectorAsSelector(s.match.NamespaceSelector)
	return err == nil && invalid == nil && !selector.Matches(labels.Set(namespace.Labels))
}

// passesAt makes a prevented change in another namespace. It must pass because the policy does not meet it there.
func (v *view) passesAt(ctx context.Context, p policyName, s *stop, namespace string) (tried, bool) {
	move := func(object inventory.Object) inventory.Object {
		object.Value = object.Value.DeepCopyObject()
		metaOf(object.Value).SetNamespace(namespace)
		return object
	}
	probe := s.Probe
	probe.Object = move(probe.Object)
	t := v.trier("")
	one := t.tryProbe(ctx, probe, &controls{trier: t, object: move(s.object)})
	return one, passes(one.protection) && len(one.orders) == 0 && !meetsStep(one.result, p)
}

func (v *view) namespaceExcludedFinding(s selecting, left []excluded) Finding {
	subject := s.subject
	subject.Field += ".namespaceSelector"
	var list []string
	for _, e := range left {
		list = append(list, e.namespace)
	}
	return Finding{
		Subject: subject, Reach: &Extent{Namespaces: list}, Distinct: metav1.FormatLabelSelector(s.match.NamespaceSelector),
		Message: fmt.Sprintf("The selector %s leaves out %s with objects of kinds that %s %s guards elsewhere: %s. There, for example, %s passes.",
			metav1.FormatLabelSelector(s.match.NamespaceSelector), count(len(left), "namespace", "namespaces"), s.policy.kind, s.policy.name, enumerate(list), left[0].shown),
		Evidence: v.evidence(left[0].shown, ""),
		Remedy:   fmt.Sprintf("Let the namespaceSelector of %s %s select them, too, or take it out; exempt requesters rather than namespaces.", subject.Kind, subject.Name),
	}
}
