package audit

import (
	"context"
	"maps"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// failure is a kind of change that passes although an expression of a policy fails on it, because failurePolicy is Ignore.
type failure struct {
	policy  policyName
	binding string
	column  Column
	// caused says that the same request without the annotation does not make it fail.
	caused bool
}

// failed is where one failure was met.
type failed struct {
	kinds map[string]bool
	shown *example
}

// failures finds, of a probe that passes, the policies about annotations that fail on it and are ignored.
func (j *judge) failures(ctx context.Context, protection Protection) []failure {
	if !passes(protection) {
		return nil
	}
	var found []failure
	for _, s := range j.result.Steps {
		if !failsOpen(s) || !j.controls.trier.related[policyName{s.Kind, s.Policy}] {
			continue
		}
		caused := len(j.onAccount(ctx, []policy.Step{s}, func(_, control policy.Step) bool { return failsOpen(control) })) > 0
		found = append(found, failure{policyName{s.Kind, s.Policy}, s.Binding, j.probe.Column, caused})
	}
	return found
}

// failsOpen says whether an expression failed while it was evaluated, and the request went on. A mutating policy may have changed something
// before. An exhausted budget is none: that is no mistake in the expression.
func failsOpen(s policy.Step) bool {
	open := s.Decision == policy.ErrorIgnored || s.Decision == policy.Mutated
	return open && byExpression(s) && !policy.ExhaustsBudget(s.Message)
}

// failing gathers the failures of one object's probes.
func failing(all []tried) map[failure]*failed {
	found := map[failure]*failed{}
	for _, t := range all {
		for _, f := range t.failures {
			if found[f] == nil {
				found[f] = &failed{kinds: map[string]bool{}}
			}
			e := exampleOf(t)
			found[f].kinds[typeOf(t.Object.Kind)] = true
			found[f].shown = lesser(found[f].shown, &e)
		}
	}
	return found
}

func mergeFailures(into, from map[failure]*failed) {
	for key, f := range from {
		if into[key] == nil {
			into[key] = &failed{kinds: map[string]bool{}}
		}
		maps.Copy(into[key].kinds, f.kinds)
		into[key].shown = lesser(into[key].shown, f.shown)
	}
}
