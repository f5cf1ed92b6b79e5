package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// orderRemedy says how the order stops to matter. That one policy is reinvoked is only advised where it was tried.
func (v *view) orderRemedy(ctx context.Context, at pair, d *dispute) string {
	switch {
	case at.first.Policy != at.second.Policy:
	case at.first.Binding != at.second.Binding:
		return "Let one binding alone match the object, or let the policy write what is the same for both."
	default:
		return "Name one parameter in paramRef.name, or let the parameters write different annotations."
	}
	join := "make them one policy, whose mutations run in the order in which they are listed, or let only one of them write the annotation."
	var last []string
	for _, name := range []string{at.first.Policy, at.second.Policy} {
		if v.settledBy(ctx, name, *d.shown) {
			last = append(last, name)
		}
	}
	if len(last) == 0 {
		return strings.ToUpper(join[:1]) + join[1:]
	}
	return fmt.Sprintf("Set spec.reinvocationPolicy to IfNeeded on %s, which then has the last word, or %s", strings.Join(last, " or on "), join)
}

// settledBy tries whether an example's change comes to the same in every order once a policy is reinvoked.
func (v *view) settledBy(ctx context.Context, name string, e example) bool {
	policies := *v.simulator.Policies()
	policies.Mutating = slices.Clone(policies.Mutating)
	for i, p := range policies.Mutating {
		if p.Name == name {
			policies.Mutating[i] = p.DeepCopy()
			policies.Mutating[i].Spec.ReinvocationPolicy = admissionregistrationv1.IfNeededReinvocationPolicy
		}
	}
	simulator, err := v.simulator.WithPolicies(ctx, &policies)
	if err != nil {
		return false
	}
	reinvoked := *v
	reinvoked.simulator = simulator
	probe, found, err := reinvoked.probeAgain(ctx, e)
	return err == nil && found && probe.result.Outcome != simulate.Unknown
}
