package audit

import (
	"cmp"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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

func comparePolicyNames(a, b policyName) int {
	return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.name, b.name))
}

// policyNames lists policies for a sentence.
func policyNames(policies []policyName) string {
	var list []string
	for _, p := range policies {
		list = append(list, p.kind+" "+p.name)
	}
	return enumerate(list)
}

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
	object     metav1.Object
	text       policy.Text
	match      *admissionregistrationv1.MatchResources
	param      *admissionregistrationv1.ParamKind
	conditions []admissionregistrationv1.MatchCondition
	variables  []admissionregistrationv1.Variable
	// ignoresFailures says that its failurePolicy does.
	ignoresFailures bool
	bindings        []guardBinding
}

// guardBinding is what rules look at in a binding of either kind.
type guardBinding struct {
	kind     string
	policy   policyName
	object   metav1.Object
	match    *admissionregistrationv1.MatchResources
	paramRef *admissionregistrationv1.ParamRef
	// enforces says that the policy's decision holds: it denies, or it mutates.
	enforces bool
}

// policiesIn lists all policies, the validating ones first, each with its bindings.
func policiesIn(all *inventory.Policies) []guardPolicy {
	bindings := bindingsIn(all)
	var found []guardPolicy
	for _, p := range all.Validating {
		found = append(found, guardPolicy{
			policyName: policyName{kindValidating, p.Name}, object: p, text: policy.TextOf(p),
			match: p.Spec.MatchConstraints, param: p.Spec.ParamKind, conditions: p.Spec.MatchConditions, variables: p.Spec.Variables,
			ignoresFailures: ignores(p.Spec.FailurePolicy),
		})
	}
	for _, p := range all.Mutating {
		found = append(found, guardPolicy{
			policyName: policyName{kindMutating, p.Name}, object: p, text: policy.MutatingText(p),
			match: p.Spec.MatchConstraints, param: p.Spec.ParamKind, conditions: p.Spec.MatchConditions, variables: p.Spec.Variables,
			ignoresFailures: ignores(p.Spec.FailurePolicy),
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
			match: b.Spec.MatchResources, paramRef: b.Spec.ParamRef,
			enforces: slices.Contains(b.Spec.ValidationActions, admissionregistrationv1.Deny),
		})
	}
	for _, b := range all.MutatingBindings {
		found = append(found, guardBinding{
			kind: kindMutatingBinding, policy: policyName{kindMutating, b.Spec.PolicyName}, object: b,
			match: b.Spec.MatchResources, paramRef: b.Spec.ParamRef, enforces: true,
		})
	}
	return found
}

func ignores(p *admissionregistrationv1.FailurePolicyType) bool {
	return p != nil && *p == admissionregistrationv1.Ignore
}

func (p guardPolicy) enforced() bool {
	return slices.ContainsFunc(p.bindings, func(b guardBinding) bool { return b.enforces })
}

// annotationPolicies are the policies that may look at annotations.
func annotationPolicies(all *inventory.Policies) map[policyName]bool {
	related := map[policyName]bool{}
	for _, p := range policiesIn(all) {
		if p.text.MayConcernPrefix() {
			related[p.policyName] = true
		}
	}
	return related
}

// leavingOut are policies but for some.
func leavingOut(all *inventory.Policies, gone func(policyName) bool) *inventory.Policies {
	left := *all
	left.Validating, left.Mutating = nil, nil
	for _, p := range all.Validating {
		if !gone(policyName{kindValidating, p.Name}) {
			left.Validating = append(left.Validating, p)
		}
	}
	for _, p := range all.Mutating {
		if !gone(policyName{kindMutating, p.Name}) {
			left.Mutating = append(left.Mutating, p)
		}
	}
	return &left
}
