package policy

import (
	"cmp"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// binding is either kind of binding.
type binding interface {
	*admissionregistrationv1.ValidatingAdmissionPolicyBinding | *admissionregistrationv1.MutatingAdmissionPolicyBinding
	metav1.Object
}

// bindingsOf returns the bindings of one policy, sorted by name.
func bindingsOf[B binding](all []B, policy string) []B {
	var found []B
	for _, b := range all {
		if policyName(b) == policy {
			found = append(found, b)
		}
	}
	slices.SortFunc(found, func(a, b B) int { return cmp.Compare(a.GetName(), b.GetName()) })
	return found
}

func policyName[B binding](b B) string {
	switch b := any(b).(type) {
	case *admissionregistrationv1.ValidatingAdmissionPolicyBinding:
		return b.Spec.PolicyName
	case *admissionregistrationv1.MutatingAdmissionPolicyBinding:
		return b.Spec.PolicyName
	}
	return ""
}

func sortByName[P interface{ name() string }](policies []P) {
	slices.SortFunc(policies, func(a, b P) int { return cmp.Compare(a.name(), b.name()) })
}
