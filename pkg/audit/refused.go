package audit

import (
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// RefusedAnyway is a policy that refuses changes of an object with an annotation of the downscaler's or without one, such as one that requires a label or one that stops
// every change. It does not guard the annotation, and as long as it is there these changes don't pass.
type RefusedAnyway struct {
	simulate.By
	Changes []Column `json:"changes"`
}

// refused says that a request does not pass, for another reason than its annotation.
func (t tried) refused() bool {
	return t.result.Outcome == simulate.Blocked && !t.protection.Prevents() && len(t.orders) == 0
}

// refusals are the policies' steps that make it so.
func (t tried) refusals() []policy.Step {
	if !t.refused() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(t.result.Steps), func(s policy.Step) bool {
		return s.Policy == "" || s.Decision != policy.Denied && s.Decision != policy.Error
	})
}

// refusedAnyway are the policies that refuse changes of one object anyway, in the order in which they stand in the result.
func refusedAnyway(all []tried) []RefusedAnyway {
	var found []RefusedAnyway
	for _, t := range all {
		for _, s := range t.refusals() {
			at := slices.IndexFunc(found, func(r RefusedAnyway) bool { return r.By == byOf(s) })
			if at < 0 {
				at = len(found)
				found = append(found, RefusedAnyway{By: byOf(s)})
			}
			if !slices.Contains(found[at].Changes, t.Column) {
				found[at].Changes = append(found[at].Changes, t.Column)
			}
		}
	}
	return found
}

// refusingAnyway is the same, counted.
func refusingAnyway(object inventory.Object, all []tried) reaches[policyName] {
	found := reaches[policyName]{}
	for _, t := range all {
		for _, s := range t.refusals() {
			found.note(policyName{s.Kind, s.Policy}, object, t)
		}
	}
	return found
}

func byOf(s policy.Step) simulate.By {
	return simulate.By{Kind: s.Kind, Policy: s.Policy, Binding: s.Binding}
}
