package audit

import (
	"context"
	"fmt"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// selectorOptOut: a policy, or its binding, selects objects by a label that their writer chooses, or namespaces by a label that somebody may
// change whom the guard stops. It is found by trying: with another label, a change passes that is prevented otherwise.
var selectorOptOut = rule{
	Rule: Rule{ID: "selector-opt-out", Severity: High, Title: "A label is the way out of a selector of the guard"},
	find: findSelectorOptOut,
}

// selecting is where a policy or a binding of it has selectors.
type selecting struct {
	policy  guardPolicy
	subject Subject // its field is that which holds the selectors
	match   *admissionregistrationv1.MatchResources
}

// selectings are those of a policy and of its bindings that enforce it.
func selectings(p guardPolicy) []selecting {
	found := []selecting{{p, Subject{Kind: p.kind, Name: p.name, Field: "spec.matchConstraints"}, p.match}}
	for _, b := range p.bindings {
		if b.enforces {
			found = append(found, selecting{p, Subject{Kind: b.kind, Name: b.object.GetName(), Field: "spec.matchResources"}, b.match})
		}
	}
	return slices.DeleteFunc(found, func(s selecting) bool { return s.match == nil })
}

func findSelectorOptOut(ctx context.Context, v *view) ([]Finding, error) {
	guards, err := v.enforcedGuards(ctx)
	if err != nil {
		return nil, err
	}
	var findings []Finding
	for _, p := range guards {
		for _, s := range selectings(p) {
			if finding, found := v.objectSelectorFinding(ctx, s); found {
				findings = append(findings, finding)
			}
			finding, found, err := v.namespaceSelectorFinding(ctx, s)
			if err != nil {
				return nil, err
			}
			if found {
				findings = append(findings, finding)
			}
		}
	}
	return findings, nil
}

func (v *view) objectSelectorFinding(ctx context.Context, s selecting) (Finding, bool) {
	if s.match.ObjectSelector == nil {
		return Finding{}, false
	}
	// By the first label that leads out; the others would say the same.
	var ways []wayOut
	var by *optOut
	for _, stop := range v.telling(s.policy.policyName) {
		for _, o := range labelsOut(s.match.ObjectSelector, stop.Object.Meta().GetLabels()) {
			if by != nil && o.String() != by.String() {
				continue
			}
			for _, w := range v.tryOut(ctx, stop, o) {
				if !meetsStep(w.result, s.policy.policyName) {
					by = &o
					ways = append(ways, w)
				}
			}
		}
	}
	if len(ways) == 0 {
		return Finding{}, false
	}
	subject := s.subject
	subject.Field += ".objectSelector"
	return Finding{
		Subject: subject, Distinct: metav1.FormatLabelSelector(s.match.ObjectSelector),
		Message: fmt.Sprintf("The selector %s lets go of an object with %s, which an ordinary user gives it %s: then %s passes, and is prevented without.",
			metav1.FormatLabelSelector(s.match.ObjectSelector), ways[0].optOut, hows(ways), exampleOf(ways[0].stop.tried)),
		Evidence: v.outEvidence(ctx, ways),
		Remedy:   fmt.Sprintf("Take the objectSelector out of %s %s: whoever writes an object chooses its labels.", subject.Kind, subject.Name),
	}, true
}

// hows are the ways that were found, in words.
func hows(ways []wayOut) string {
	var list []string
	for _, how := range []string{outTwice, outTogether, outCreated} {
		if slices.ContainsFunc(ways, func(w wayOut) bool { return w.how == how }) {
			list = append(list, how)
		}
	}
	return enumerate(list)
}

// meetsStep says whether a policy's rules and selectors met a request.
func meetsStep(result simulate.Result, p policyName) bool {
	return slices.ContainsFunc(result.Steps, func(s policy.Step) bool {
		return s.Kind == p.kind && s.Policy == p.name && s.Decision != policy.NotMatched
	})
}
