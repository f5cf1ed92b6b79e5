package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// matchConditionOptOut: an expression of a policy depends on another annotation, on a label, on the name of the object or on anything else that the requester
// chooses. What the expressions read is proposed as a change, and only what is found to lead out is a finding. Of the rest the report says that it may.
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
		waysOut := v.conditionsOut(ctx, p)
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
func (v *view) conditionsOut(ctx context.Context, p guardPolicy) map[string][]wayOut {
	found := map[string][]wayOut{}
	stops := v.telling(p.policyName)
	if len(stops) == 0 {
		return found
	}
	reads := readsOf(p)
	for _, f := range reads.Fields {
		var leads []optOut
		for _, s := range stops {
			if len(leads) > 0 {
				v.fieldOut(ctx, p.policyName, s, leads, f, found)
				continue
			}
			leads = v.fieldOut(ctx, p.policyName, s, proposed(f, reads, s.Object), f, found)
		}
		for _, s := range v.stops(p.policyName) {
			if len(leads) == 0 && !slices.Contains(stops, s) { // it may depend on the kind of the object, too
				few := proposed(f, reads, s.Object)
				leads = v.fieldOut(ctx, p.policyName, s, few[:min(len(few), fewProposed)], f, found)
			}
		}
		if len(leads) == 0 && ctx.Err() == nil {
			v.assumeNoWayOut(p, f, reads)
		}
	}
	return found
}

// fieldOut adds the ways out by some opt-outs of one field, and returns the opt-outs that lead out. By the expression that reads the field one is enough.
func (v *view) fieldOut(ctx context.Context, p policyName, s *stop, proposed []optOut, f policy.Field, found map[string][]wayOut) []optOut {
	var leads []optOut
	for _, o := range proposed {
		enough := false
		for _, w := range v.tryOut(ctx, s, o) {
			by, met := conditionOf(w, p)
			if !met {
				continue
			}
			leads, enough = append(leads, o), enough || by == f.Expression.Name
			if len(found[by]) == 0 || found[by][0].String() == w.String() {
				found[by] = append(found[by], w)
			}
		}
		if enough {
			break
		}
	}
	return leads
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
		Subject: Subject{Kind: p.kind, Name: p.name, Field: field}, Distinct: conditionDistinct(p, by, field, ways[0].optOut),
		Message: fmt.Sprintf("%s out of the guard by %s, which an ordinary user gives it %s: then %s passes, and is prevented without.",
			what, ways[0].optOut, hows(ways), exampleOf(ways[0].stop.tried)),
		Evidence: v.outEvidence(ctx, ways),
		Remedy:   fmt.Sprintf("Let %s of %s %s depend on the requester and on the downscaler's annotations alone.", field, p.kind, p.name),
	}
}

// conditionDistinct is what the matchCondition says; where the policy's other expressions let go of a request together, it is what they depend on.
func conditionDistinct(p guardPolicy, by, field string, o optOut) string {
	if by == "" {
		return distinct(o.field, o.key)
	}
	return contentOf(p.object, field)
}

// expressionsField is the field of a matchCondition, or of what decides behind them.
func expressionsField(p guardPolicy, condition string) (field, what string) {
	for i, c := range p.conditions {
		if c.Name == condition {
			return fmt.Sprintf("spec.matchConditions[%d].expression", i), fmt.Sprintf("The matchCondition %s lets an object", c.Name)
		}
	}
	if p.kind == kindMutating {
		return "spec.mutations", "The mutations let an object"
	}
	return "spec.validations", "The validations let an object"
}
