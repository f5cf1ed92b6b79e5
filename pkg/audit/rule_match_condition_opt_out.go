package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// matchConditionOptOut: an expression of a policy depends on another annotation, on a label or on the name of the object, which the requester
// chooses. What the expressions read is proposed as a change, and only what is found to lead out is a finding.
var matchConditionOptOut = rule{
	Rule: Rule{ID: "match-condition-opt-out", Severity: High, Title: "An expression of the guard depends on something else that the requester writes"},
	find: findMatchConditionOptOut,
}

func findMatchConditionOptOut(ctx context.Context, v *view) ([]Finding, error) {
	guards, err := v.enforcedGuards(ctx)
	if err != nil {
		return nil, err
	}
	var findings []Finding
	for _, p := range guards {
		reads := policy.ReadsOf(p.expressions)
		waysOut := v.conditionsOut(ctx, p.policyName, reads)
		for _, by := range slices.Sorted(maps.Keys(waysOut)) {
			findings = append(findings, v.conditionFinding(ctx, p, by, waysOut[by]))
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return findings, nil
}

// conditionsOut are the ways out, by the matchCondition that lets go of the request; "" stands for the policy's other expressions. Of each there are those of
// one opt-out.
func (v *view) conditionsOut(ctx context.Context, p policyName, reads policy.Reads) map[string][]wayOut {
	found := map[string][]wayOut{}
	for _, s := range v.telling(p) {
		for _, o := range proposed(reads, s.Object) {
			for _, w := range v.tryOut(ctx, s, o) {
				by, met := conditionOf(w, p)
				if met && (len(found[by]) == 0 || found[by][0].String() == w.String()) {
					found[by] = append(found[by], w)
				}
			}
		}
	}
	return found
}

// conditionOf is the matchCondition that lets go of a request which a policy's rules and selectors meet.
func conditionOf(w wayOut, p policyName) (condition string, met bool) {
	for _, s := range w.result.Steps {
		if s.Kind == p.kind && s.Policy == p.name && s.Decision != policy.NotMatched {
			return s.Because.MatchCondition, true
		}
	}
	return "", false
}

func (v *view) conditionFinding(ctx context.Context, p guardPolicy, by string, ways []wayOut) Finding {
	field, what := expressionsField(p, by)
	return Finding{
		Subject: Subject{Kind: p.kind, Name: p.name, Field: field},
		Message: fmt.Sprintf("%s out of the guard by %s, which an ordinary user gives it %s: then %s passes, and is prevented without.",
			what, ways[0].optOut, hows(ways), exampleOf(ways[0].stop.tried)),
		Evidence: v.outEvidence(ctx, ways),
		Remedy:   fmt.Sprintf("Let %s of %s %s depend on the requester and on the downscaler's annotations alone.", field, p.kind, p.name),
	}
}

// expressionsField is the field of a matchCondition, or of what decides behind them.
func expressionsField(p guardPolicy, condition string) (field, what string) {
	var conditions []admissionregistrationv1.MatchCondition
	field, what = "spec.validations", "The validations let an object"
	switch object := p.object.(type) {
	case *admissionregistrationv1.ValidatingAdmissionPolicy:
		conditions = object.Spec.MatchConditions
	case *admissionregistrationv1.MutatingAdmissionPolicy:
		conditions = object.Spec.MatchConditions
		field, what = "spec.mutations", "The mutations let an object"
	}
	for i, c := range conditions {
		if c.Name == condition {
			return fmt.Sprintf("spec.matchConditions[%d].expression", i), fmt.Sprintf("The matchCondition %s lets an object", c.Name)
		}
	}
	return field, what
}
