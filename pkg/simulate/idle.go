package simulate

import (
	"cmp"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// Idle are the steps of policies without a binding and of bindings without a policy: they do nothing, whatever is
// asked, and are in every result. There are none while some policies could not be read.
func Idle(policies *inventory.Policies) []policy.Step {
	if len(policies.Unread) > 0 {
		return nil
	}
	var mutating, validating []link
	for _, b := range policies.MutatingBindings {
		mutating = append(mutating, link{b.Name, b.Spec.PolicyName})
	}
	for _, b := range policies.ValidatingBindings {
		validating = append(validating, link{b.Name, b.Spec.PolicyName})
	}
	return slices.Concat(
		idle(policy.PhaseMutating, "MutatingAdmissionPolicy", policies.Mutating, mutating),
		idle(policy.PhaseValidating, "ValidatingAdmissionPolicy", policies.Validating, validating),
	)
}

// link is a binding and the policy that it names.
type link struct{ binding, policy string }

func idle[P metav1.Object](phase policy.Phase, kind string, policies []P, bindings []link) []policy.Step {
	step := policy.Step{Phase: phase, Kind: kind, Decision: policy.NotMatched, Changes: []policy.Change{}}
	var steps []policy.Step
	for _, p := range policies {
		if !slices.ContainsFunc(bindings, func(b link) bool { return b.policy == p.GetName() }) {
			step.Policy, step.Message = p.GetName(), "it has no binding, so that it does nothing"
			steps = append(steps, step)
		}
	}
	for _, b := range bindings {
		if !slices.ContainsFunc(policies, func(p P) bool { return p.GetName() == b.policy }) {
			step.Policy, step.Binding = b.policy, b.binding
			step.Message = fmt.Sprintf("there is no %s %q, so that the binding does nothing", kind, b.policy)
			steps = append(steps, step)
		}
	}
	slices.SortStableFunc(steps, compareSteps)
	return steps
}

func compareSteps(a, b policy.Step) int {
	return cmp.Or(cmp.Compare(a.Policy, b.Policy), cmp.Compare(a.Binding, b.Binding))
}

// withIdle adds the idle steps of a phase to those of the policies that ran.
func (s *Simulator) withIdle(phase policy.Phase, steps []policy.Step) []policy.Step {
	if len(s.idle) == 0 {
		return steps
	}
	steps = slices.Clone(steps)
	for _, step := range s.idle {
		if step.Phase == phase {
			steps = append(steps, step)
		}
	}
	slices.SortStableFunc(steps, compareSteps)
	return steps
}
