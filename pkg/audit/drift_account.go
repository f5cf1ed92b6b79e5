package audit

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// onItsAccount says what becomes of a request that differs from its control in the downscaler's annotations only; nil where the control
// fares alike, is refused itself or is not known.
func onItsAccount(result, control simulate.Result, known bool) *drifted {
	if !known || control.Outcome != simulate.Allowed && control.Outcome != simulate.Altered {
		return nil
	}
	one := &drifted{blocked: result.Outcome == simulate.Blocked}
	for _, a := range result.Annotations {
		altered := !one.blocked && a.Effect != simulate.EffectKept && !alteredAlike(a, control)
		if altered {
			for _, by := range a.By {
				one.add(policyName{by.Kind, by.Policy})
			}
		}
		if altered || changes(a) {
			one.annotations = append(one.annotations, a)
		}
	}
	if one.blocked {
		for _, s := range result.Steps {
			if s.Policy != "" && (s.Decision == policy.Denied || s.Decision == policy.Error) {
				one.add(policyName{s.Kind, s.Policy})
			}
		}
	}
	conflict := one.blocked && result.Status != nil && result.Status.Reason == metav1.StatusReasonConflict
	if len(one.by) == 0 && !conflict {
		return nil
	}
	return one
}

func (w *drifted) add(name policyName) {
	if !slices.Contains(w.by, name) {
		w.by = append(w.by, name)
	}
}

func alteredAlike(a simulate.Annotation, control simulate.Result) bool {
	return slices.ContainsFunc(control.Annotations, func(c simulate.Annotation) bool {
		return c.Key == a.Key && c.Effect == a.Effect && same(c.After, a.After)
	})
}

// changes says whether the request asks for a change of an annotation.
func changes(a simulate.Annotation) bool {
	return a.Change == simulate.Added || a.Change == simulate.Edited || a.Change == simulate.Removed
}

// repeating is a request's change of annotations alone, if it comes to the same as the request: a command can repeat it.
func repeating(ctx context.Context, simulator *simulate.Simulator, object inventory.Object, result simulate.Result) *request.Change {
	change := request.Change{Set: map[string]string{}}
	for _, a := range result.Annotations {
		switch {
		case !changes(a):
		case a.Proposed == nil:
			change.Remove = append(change.Remove, a.Key)
		default:
			change.Set[a.Key] = *a.Proposed
		}
	}
	if change.Empty() {
		return nil
	}
	r, err := request.Annotate(OrdinaryUser(), object, change, request.Options{Operation: admission.Update})
	if err != nil || simulator.Run(ctx, r, simulate.Options{}).Outcome != result.Outcome {
		return nil
	}
	return &change
}
