package authorization

import (
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// Why of the assumptions about a request that may be refused because of the rights that the object would give.
const (
	WhyGrants = "the API server lets nobody grant rights that they don't have themselves, unless they may escalate or bind; that is not simulated"
	WhyParams = "where a policy or a binding names parameters anew, the API server asks whether the requester may read them; that is not simulated"
)

// grants says what the API server asks besides, when it stores an object of one of the few kinds by which one could gain rights
// (k8s.io/kubernetes pkg/registry/rbac/escalation_check.go and pkg/registry/admissionregistration/*/authz.go).
// That is not simulated. The privileged group is never asked.
func grants(r request.Request) []inventory.Gap {
	if r.Operation == admission.Delete || isPrivileged(r.Requester.User()) {
		return nil
	}
	var why string
	switch r.Kind.Kind.Group {
	case rbacv1.GroupName:
		why = WhyGrants
	case admissionregistrationv1.GroupName:
		if !takesParams[r.Kind.Kind.Kind] {
			return nil
		}
		why = WhyParams
	default:
		return nil
	}
	return []inventory.Gap{{What: fmt.Sprintf("%s %s", r.Kind.Kind.Kind, r.Name), Why: why}}
}

var takesParams = map[string]bool{
	"ValidatingAdmissionPolicy": true, "ValidatingAdmissionPolicyBinding": true,
	"MutatingAdmissionPolicy": true, "MutatingAdmissionPolicyBinding": true,
}
