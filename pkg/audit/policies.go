package audit

import (
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// The kinds of policies and of their bindings.
const (
	kindValidating        = "ValidatingAdmissionPolicy"
	kindMutating          = "MutatingAdmissionPolicy"
	kindValidatingBinding = "ValidatingAdmissionPolicyBinding"
	kindMutatingBinding   = "MutatingAdmissionPolicyBinding"
)

// policyName names a policy of either kind.
type policyName struct{ kind, name string }

func policiesOf(steps []policy.Step) []policyName {
	var names []policyName
	for _, s := range steps {
		if name := (policyName{s.Kind, s.Policy}); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// guardPolicy is what rules look at in a policy of either kind.
type guardPolicy struct {
	policyName
	object      metav1.Object
	param       *admissionregistrationv1.ParamKind
	expressions []string
	bindings    []guardBinding
}

// guardBinding is what rules look at in a binding of either kind.
type guardBinding struct {
	kind   string
	policy policyName
	object metav1.Object
	// enforces says that the policy's decision holds: it denies, or it mutates.
	enforces bool
}

// policiesIn lists all policies, the validating ones first, each with its bindings.
func policiesIn(all *inventory.Policies) []guardPolicy {
	bindings := bindingsIn(all)
	var found []guardPolicy
	for _, p := range all.Validating {
		found = append(found, guardPolicy{
			policyName: policyName{kindValidating, p.Name}, object: p, param: p.Spec.ParamKind, expressions: validatingExpressions(p.Spec),
		})
	}
	for _, p := range all.Mutating {
		found = append(found, guardPolicy{
			policyName: policyName{kindMutating, p.Name}, object: p, param: p.Spec.ParamKind, expressions: mutatingExpressions(p.Spec),
		})
	}
	for i := range found {
		for _, b := range bindings {
			if b.policy == found[i].policyName {
				found[i].bindings = append(found[i].bindings, b)
			}
		}
	}
	return found
}

func bindingsIn(all *inventory.Policies) []guardBinding {
	var found []guardBinding
	for _, b := range all.ValidatingBindings {
		found = append(found, guardBinding{
			kind: kindValidatingBinding, policy: policyName{kindValidating, b.Spec.PolicyName}, object: b,
			enforces: slices.Contains(b.Spec.ValidationActions, admissionregistrationv1.Deny),
		})
	}
	for _, b := range all.MutatingBindings {
		found = append(found, guardBinding{
			kind: kindMutatingBinding, policy: policyName{kindMutating, b.Spec.PolicyName}, object: b, enforces: true,
		})
	}
	return found
}

// mentionsPrefix says whether the policy's expressions name the downscaler's prefix.
func (p guardPolicy) mentionsPrefix() bool { return p.mentions(downscaler.Prefix) }

func (p guardPolicy) mentions(text string) bool {
	return slices.ContainsFunc(p.expressions, func(e string) bool { return strings.Contains(e, text) })
}

func (p guardPolicy) enforced() bool {
	return slices.ContainsFunc(p.bindings, func(b guardBinding) bool { return b.enforces })
}

// annotationPolicies are the policies that may look at annotations: those which say so, and those with parameters, whose
// names may stand in there.
func annotationPolicies(all *inventory.Policies) map[policyName]bool {
	related := map[policyName]bool{}
	for _, p := range policiesIn(all) {
		if p.param != nil || p.mentions("annotations") || p.mentionsPrefix() {
			related[p.policyName] = true
		}
	}
	return related
}
