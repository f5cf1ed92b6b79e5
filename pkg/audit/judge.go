package audit

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// judge finds what a guard makes of one probe. The rules:
//
//   - A change is prevented if the request fails, or if what is stored for the key is what was stored before. Anything
//     else that is stored, a third value or nothing in an edit's place, means that an ordinary user changed it.
//   - A request that fails counts as Blocked only if some policy denies it that does not deny the control (see controls):
//     then it is the annotation that the policy denies.
//   - Where only policies deny that deny the control too and that look at no annotations, such as one that requires labels,
//     the guard is what the other policies make of the request.
//   - In a namespace that is being deleted nobody creates anything: that is Blocked.
//   - Where a policy that looks at annotations can't be evaluated for either request, and failurePolicy Fail refuses both, that is Blocked, too:
//     whoever makes the change, it does not happen. What else does not happen is policy-always-fails' matter.
//   - Where else the API itself refuses, so that validating policies are never asked, or where the policy that denies both might
//     be the guard, it is Unknown.
//   - Warned and Audited likewise count only where the control is not warned of or audited in the same way.
type judge struct {
	probe    Probe
	result   simulate.Result
	controls *controls
}

const (
	whyAPI    = "the API server itself refuses the request, with or without the annotation, so that validating policies are not asked"
	whyPolicy = "a policy refuses the request with or without the annotation, so that it can't be told whether it guards the annotation"
	whyMutate = "several mutating policies change the annotation of a request that is refused for another reason"
)

// protection returns the steps that act on account of the annotation, too, and why nothing is known.
func (j *judge) protection(ctx context.Context) (Protection, []policy.Step, string) {
	switch j.result.Outcome {
	case simulate.Allowed, simulate.Altered:
		return j.passed(ctx)
	case simulate.Blocked:
		return j.blocked(ctx)
	}
	return ProtectionUnknown, nil, ""
}

func (j *judge) passed(ctx context.Context) (Protection, []policy.Step, string) {
	at := slices.IndexFunc(j.result.Annotations, func(a simulate.Annotation) bool { return a.Key == j.probe.Key })
	if at < 0 {
		return ProtectionUnknown, nil, "the simulation says nothing of " + j.probe.Key
	}
	a := j.result.Annotations[at]
	if a.Effect == simulate.EffectUnknown {
		return ProtectionUnknown, nil, ""
	}
	if same(a.Before, a.After) {
		return j.undone(), j.mutators(), ""
	}
	return j.noticed(ctx)
}

// undone names a change that was taken back.
func (j *judge) undone() Protection {
	switch j.probe.Column {
	case ColumnEdit:
		return ProtectionReverted
	case ColumnRemove:
		return ProtectionRestored
	}
	return ProtectionStripped
}

// noticed tells a change that passes with a warning or an audit annotation from one that passes without.
func (j *judge) noticed(ctx context.Context) (Protection, []policy.Step, string) {
	for _, n := range []struct {
		decision   policy.Decision
		protection Protection
	}{{policy.Warned, ProtectionWarned}, {policy.Audited, ProtectionAudited}} {
		if acting := j.onAccount(ctx, j.steps(n.decision), sayTheSame); len(acting) > 0 {
			return n.protection, acting, ""
		}
	}
	return ProtectionAllowed, nil, ""
}

func (j *judge) blocked(ctx context.Context) (Protection, []policy.Step, string) {
	if j.result.Status != nil && apierrors.HasStatusCause(&apierrors.StatusError{ErrStatus: *j.result.Status}, corev1.NamespaceTerminatingCause) {
		return ProtectionBlocked, nil, ""
	}
	denying := j.steps(policy.Denied, policy.Error)
	if acting := j.onAccount(ctx, denying, denyAlike); len(acting) > 0 {
		return ProtectionBlocked, acting, ""
	}
	if slices.ContainsFunc(denying, j.failsClosed) {
		return ProtectionBlocked, nil, ""
	}
	for _, s := range denying {
		switch {
		case s.Policy == "":
			return ProtectionUnknown, nil, whyAPI
		case s.Phase != policy.PhaseValidating || j.controls.trier.related[policyName{s.Kind, s.Policy}]:
			return ProtectionUnknown, nil, whyPolicy
		}
	}
	if len(denying) == 0 {
		return ProtectionUnknown, nil, whyAPI
	}
	return j.withoutDenials(ctx)
}

// withoutDenials says what the policies that don't deny make of a request which others refuse.
func (j *judge) withoutDenials(ctx context.Context) (Protection, []policy.Step, string) {
	if len(j.steps(policy.NotSimulated)) > 0 {
		return ProtectionUnknown, nil, whyPolicy
	}
	mutators := j.mutators()
	switch {
	case len(mutators) > 1:
		return ProtectionUnknown, nil, whyMutate
	case len(mutators) == 1 && j.takesBack(mutators[0]):
		return j.undone(), mutators, ""
	}
	return j.noticed(ctx)
}

// takesBack says whether a mutation leaves the key as it was before the request.
func (j *judge) takesBack(step policy.Step) bool {
	var before *string
	if j.probe.Column != ColumnCreate {
		if value, found := j.probe.Object.Meta().GetAnnotations()[j.probe.Key]; found {
			before = &value
		}
	}
	for _, change := range step.Changes {
		if change.Key == j.probe.Key {
			return same(change.After, before)
		}
	}
	return false
}

// mutators are the steps that change the probe's key.
func (j *judge) mutators() []policy.Step {
	return slices.DeleteFunc(j.steps(policy.Mutated), func(s policy.Step) bool {
		return !slices.ContainsFunc(s.Changes, func(c policy.Change) bool { return c.Key == j.probe.Key })
	})
}

func (j *judge) steps(decisions ...policy.Decision) []policy.Step {
	var found []policy.Step
	for _, s := range j.result.Steps {
		if slices.Contains(decisions, s.Decision) {
			found = append(found, s)
		}
	}
	return found
}

func same(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
