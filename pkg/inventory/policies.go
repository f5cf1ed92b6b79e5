package inventory

import (
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

// Policies are admission policies and webhook configurations. Every object is of version v1 with the
// API server's defaults set, whatever version it was read in (the fields are the same in all of them).
type Policies struct {
	Validating         []*admissionregistrationv1.ValidatingAdmissionPolicy
	ValidatingBindings []*admissionregistrationv1.ValidatingAdmissionPolicyBinding
	Mutating           []*admissionregistrationv1.MutatingAdmissionPolicy
	MutatingBindings   []*admissionregistrationv1.MutatingAdmissionPolicyBinding

	ValidatingWebhooks []*admissionregistrationv1.ValidatingWebhookConfiguration
	MutatingWebhooks   []*admissionregistrationv1.MutatingWebhookConfiguration

	// Unread lists the kinds above that the server serves and that could not be read, What being the
	// resource's name. While it is not empty, no request can be said to pass.
	Unread []Gap
}

// MutationUnread says whether something that changes objects may be in force and was not read. While it is true,
// what the validating policies say of an object is not certain either.
func (p *Policies) MutationUnread() bool {
	return slices.ContainsFunc(p.Unread, func(g Gap) bool { return !strings.HasPrefix(g.What, "validating") })
}
