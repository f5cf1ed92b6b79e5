package audit

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// celBudget: expressions that walk all annotations cost the more the more of them there are, and all matchConditions of a policy share one budget. Where
// it is exhausted, failurePolicy Ignore lets the request through. Further annotations are nothing that the guard looks at, so whoever
// may write the object may add them.
//
// What each of them costs is counted by the API server's own code. With as many as exhaust the budget, one request takes many seconds; it is left to whoever repeats the
// finding. There is one finding a policy.
var celBudget = rule{
	Rule: Rule{ID: "cel-budget", Severity: High, Title: "Further annotations exhaust the guard's cost budget, and failurePolicy Ignore lets the change through"},
	find: findCelBudget,
}

func findCelBudget(ctx context.Context, v *view) ([]Finding, error) {
	var findings []Finding
	for _, p := range v.policies {
		if !p.ignoresFailures {
			continue
		}
		for _, s := range v.worthBurdening(p.policyName) {
			finding, err := v.overBudget(ctx, p, s)
			if err != nil {
				return nil, err
			}
			if finding != nil {
				findings = append(findings, *finding)
				break
			}
		}
	}
	return findings, nil
}

// worthBurdening are an addition and a removal that the policy prevents: creations and edits cost what additions do. Only one of each is tried.
func (v *view) worthBurdening(p policyName) []*stop {
	stops := v.telling(p)
	var found []*stop
	for _, column := range []Column{ColumnAdd, ColumnRemove} {
		if at := slices.IndexFunc(stops, func(s *stop) bool { return s.Column == column }); at >= 0 {
			found = append(found, stops[at])
		}
	}
	if len(found) == 0 && len(stops) > 0 {
		return stops[:1]
	}
	return found
}

// overBudget tries a change that the policy prevents with further annotations, first with those that the same request adds, then with some
// that were there before it.
func (v *view) overBudget(ctx context.Context, p guardPolicy, s *stop) (*Finding, error) {
	for _, before := range []bool{false, true} {
		b := &burdened{view: v, probe: s.Probe, before: before}
		exhausted, passed, err := b.letThrough(ctx, s)
		if err != nil {
			return nil, err
		}
		if e, is := exhausted[p.policyName]; is && passed {
			finding := v.budgetFinding(p, b, e, exhausted)
			return &finding, nil
		}
	}
	return nil, nil
}

// letThrough finds the policies whose budget is exhausted, which then are as if they were not there, and says whether the others let the change pass. A policy that was
// not asked before, because another one changed the request, is asked then.
func (b *burdened) letThrough(ctx context.Context, s *stop) (exhausted map[policyName]exhaustion, passed bool, err error) {
	exhausted = map[policyName]exhaustion{}
	simulator := b.view.simulator
	for {
		more, err := b.exhausting(ctx, simulator)
		if err != nil {
			return nil, false, err
		}
		if len(more) == 0 {
			break
		}
		maps.Copy(exhausted, more)
		left := leavingOut(simulator.Policies(), func(name policyName) bool { _, gone := more[name]; return gone })
		if simulator, err = simulator.WithPolicies(ctx, left); err != nil {
			return nil, false, err
		}
	}
	if len(exhausted) == 0 {
		return exhausted, false, nil
	}
	t := &trier{simulator: simulator, requester: OrdinaryUser(), related: annotationPolicies(simulator.Policies())}
	one := t.tryProbe(ctx, b.probe, &controls{trier: t, object: s.object})
	return exhausted, passes(one.protection) && len(one.orders) == 0, ctx.Err()
}

func (v *view) budgetFinding(p guardPolicy, b *burdened, e exhaustion, exhausted map[policyName]exhaustion) Finding {
	annotations := 0
	for _, other := range exhausted {
		annotations = max(annotations, other.annotations)
	}
	annotations = roundedUp(annotations)
	shown := exampleOf(tried{Probe: b.probe})
	evidence, there := v.auditCommand(OrdinaryUser(), shown), "that were added to the object before"
	if !b.before {
		there = "that the request itself adds"
	}
	if !b.before && !shown.onCopy() {
		evidence = v.evidence(shown, "") + fmt.Sprintf(" $(seq -f '--set=%s=' %d)", strings.Replace(junkKey(0), "0", "%.0f", 1), annotations)
	}
	return Finding{
		Subject: Subject{Kind: p.kind, Name: p.name, Field: "spec." + e.part},
		Message: fmt.Sprintf("The API server gives the %s of the policy a cost budget of %d, which grows with each annotation of the object. By what %d of them cost, %d further ones %s exhaust it, "+
			"and failurePolicy Ignore lets through what the policy prevents without them: %s.", e.part, e.limit, few, annotations, there, shown),
		Evidence: evidence,
		Remedy: "Set spec.failurePolicy to Fail, let matchConditions look at nothing but the requester, and walk the annotations once, in the validations; " +
			"policies render --values FILE --hardened prints such a guard.",
	}
}

// roundedUp leaves some room, for the cost is not the same every time, and returns the next of 1, 1.5, 2, 3, 5 or 7 and its tens.
func roundedUp(n int) int {
	const room = 1.1
	least := float64(n) * room
	tens := math.Pow10(int(math.Log10(least)))
	for _, step := range []float64{1, 1.5, 2, 3, 5, 7} {
		if step*tens >= least {
			return int(step * tens)
		}
	}
	return int(10 * tens)
}

// policyNamed finds one of the policies.
func (v *view) policyNamed(name policyName) (guardPolicy, bool) {
	at := slices.IndexFunc(v.policies, func(p guardPolicy) bool { return p.policyName == name })
	if at < 0 {
		return guardPolicy{}, false
	}
	return v.policies[at], true
}
