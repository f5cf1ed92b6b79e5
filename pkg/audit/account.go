package audit

import (
	"context"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// onAccount returns those steps of policies that the control does not have alike: the annotation is the only difference
// between the two requests. A step of which the control has no counterpart, because its chain ended
// before, proves nothing.
func (j *judge) onAccount(ctx context.Context, steps []policy.Step, alike func(probe, control policy.Step) bool) []policy.Step {
	if len(steps) == 0 {
		return nil
	}
	control := j.controls.of(ctx, j.probe.Column)
	if control == nil {
		return nil
	}
	var found []policy.Step
	for _, s := range steps {
		if s.Policy == "" {
			continue
		}
		at := slices.IndexFunc(control.Steps, func(c policy.Step) bool { return samePlace(s, c) })
		if at >= 0 && control.Steps[at].Decision != policy.NotSimulated && !alike(s, control.Steps[at]) {
			found = append(found, s)
		}
	}
	return found
}

func samePlace(a, b policy.Step) bool {
	return a.Phase == b.Phase && a.Kind == b.Kind && a.Policy == b.Policy && a.Binding == b.Binding && a.Param == b.Param
}

// denyAlike says whether the control is denied, too, for whatever reason.
func denyAlike(_, control policy.Step) bool {
	return control.Decision == policy.Denied || control.Decision == policy.Error
}

// sayTheSame says whether the control is warned of in the same words.
func sayTheSame(probe, control policy.Step) bool {
	return probe.Decision == control.Decision && probe.Message == control.Message
}
