package audit

import (
	"context"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// isGuard says whether a policy is there to guard the prefix:
//
//   - one that acted on account of an annotation when the objects were tried is;
//   - one that has no binding, or that names the prefix in its expressions, is tried alone on the first object of each kind,
//     its selectors taken out and its bindings, or one made for it, enforcing; it is if it acts then;
//   - one of which an expression ran and that did nothing on account of an annotation is not, whatever it mentions: it may
//     require labels, or that workloads have an uptime, or set an annotation;
//   - of any other, such as one that does not compile, matches nothing, or lets everyone through, its expressions
//     tell: it is if they name the prefix.
func (v *view) isGuard(ctx context.Context, p guardPolicy) (bool, error) {
	evaluated, acted := v.gathered.evaluated[p.policyName], v.gathered.acted[p.policyName]
	if !acted && (p.text.NamesPrefix() || len(p.bindings) == 0) {
		tryout, err := v.tryAlone(ctx, p)
		if err != nil {
			return false, err
		}
		evaluated = evaluated || tryout.evaluated[p.policyName]
		acted = tryout.acted[p.policyName]
	}
	return acted || !evaluated && p.text.NamesPrefix(), nil
}

// guards are the policies that guard the prefix, or are meant to.
func (v *view) guards(ctx context.Context) ([]guardPolicy, error) {
	var found []guardPolicy
	for _, p := range v.policies {
		is, err := v.isGuard(ctx, p)
		if err != nil {
			return nil, err
		}
		if is {
			found = append(found, p)
		}
	}
	return found, nil
}

// enforcedGuards are those of them with a binding that enforces.
func (v *view) enforcedGuards(ctx context.Context) ([]guardPolicy, error) {
	guards, err := v.guards(ctx)
	return slices.DeleteFunc(guards, func(p guardPolicy) bool { return !p.enforced() }), err
}

// tryAlone tries a kind's first object each with one policy only, in force everywhere.
func (v *view) tryAlone(ctx context.Context, p guardPolicy) (*gathered, error) {
	if kept, found := v.tryouts[p.policyName]; found {
		return kept, nil
	}
	alone := enforcedAlone(p)
	simulator, err := v.simulator.WithPolicies(ctx, alone)
	if err != nil {
		return nil, err
	}
	t := trier{simulator: simulator, requester: OrdinaryUser(), related: annotationPolicies(alone)}
	tryout := newGathered()
	for _, s := range v.gathered.samples {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		tryout.tally(s.first.object, t.try(ctx, s.first.object), nil)
	}
	v.tryouts[p.policyName] = tryout
	return tryout, nil
}

// enforcedAlone is a policy without selectors and with bindings that enforce it, and no other policy. One with parameters and
// without a binding that says which stays unbound.
func enforcedAlone(p guardPolicy) *inventory.Policies {
	alone := withoutSelectors([]guardPolicy{p})
	for _, b := range alone.ValidatingBindings {
		b.Spec.ValidationActions = []admissionregistrationv1.ValidationAction{admissionregistrationv1.Deny}
	}
	if len(p.bindings) > 0 || p.param != nil {
		return alone
	}
	meta := metav1.ObjectMeta{Name: p.name}
	if p.kind == kindMutating {
		alone.MutatingBindings = []*admissionregistrationv1.MutatingAdmissionPolicyBinding{{
			ObjectMeta: meta, Spec: admissionregistrationv1.MutatingAdmissionPolicyBindingSpec{PolicyName: p.name},
		}}
		return alone
	}
	alone.ValidatingBindings = []*admissionregistrationv1.ValidatingAdmissionPolicyBinding{{
		ObjectMeta: meta,
		Spec: admissionregistrationv1.ValidatingAdmissionPolicyBindingSpec{
			PolicyName: p.name, ValidationActions: []admissionregistrationv1.ValidationAction{admissionregistrationv1.Deny},
		},
	}}
	return alone
}
