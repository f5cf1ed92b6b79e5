package audit

import (
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// withoutSelectors returns policies and their bindings with every namespace and object selector taken out; what is left
// are their rules.
func withoutSelectors(guards []guardPolicy) *inventory.Policies {
	policies := &inventory.Policies{}
	for _, p := range guards {
		switch object := p.object.(type) {
		case *admissionregistrationv1.ValidatingAdmissionPolicy:
			object = object.DeepCopy()
			open(object.Spec.MatchConstraints)
			policies.Validating = append(policies.Validating, object)
		case *admissionregistrationv1.MutatingAdmissionPolicy:
			object = object.DeepCopy()
			open(object.Spec.MatchConstraints)
			policies.Mutating = append(policies.Mutating, object)
		}
		for _, b := range p.bindings {
			switch object := b.object.(type) {
			case *admissionregistrationv1.ValidatingAdmissionPolicyBinding:
				object = object.DeepCopy()
				open(object.Spec.MatchResources)
				policies.ValidatingBindings = append(policies.ValidatingBindings, object)
			case *admissionregistrationv1.MutatingAdmissionPolicyBinding:
				object = object.DeepCopy()
				open(object.Spec.MatchResources)
				policies.MutatingBindings = append(policies.MutatingBindings, object)
			}
		}
	}
	return policies
}

func open(match *admissionregistrationv1.MatchResources) {
	if match != nil {
		match.NamespaceSelector = &metav1.LabelSelector{}
		match.ObjectSelector = &metav1.LabelSelector{}
	}
}
