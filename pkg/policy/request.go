package policy

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// Request is a request as admission sees it.
type Request struct {
	Kind        inventory.Kind
	Operation   admission.Operation
	Subresource string
	Namespace   string // a Namespace's own name for requests about it, empty for other cluster-scoped kinds
	Name        string // empty where the API server generates it
	Object      runtime.Object
	OldObject   runtime.Object
	Options     runtime.Object
	User        user.Info

	// Unknown are the parts of Object and OldObject whose values are not known.
	Unknown Unknown
	// NamespaceUnread says that the namespace object is a stand-in, of which only the name is known.
	NamespaceUnread bool
	// Order is the order in which the mutating policies run; nil: that of their names, and others are tried, too.
	Order Order
	// Explain asks for the reasons of steps that did not match.
	Explain bool
}

// attributes are a request's admission attributes that collect the audit annotations.
type attributes struct {
	admission.Attributes
	auditAnnotations map[string]string
}

func (r Request) attributes() *attributes {
	return &attributes{
		Attributes: admission.NewAttributesRecord(r.Object, r.OldObject, r.Kind.Kind, r.Namespace, r.Name,
			r.Kind.Resource, r.Subresource, r.Operation, r.Options, false, r.User),
		auditAnnotations: map[string]string{},
	}
}

// AddAnnotation keeps an audit annotation, as the API server would write it into the audit event.
// An annotation that is there already stays as it is.
func (a *attributes) AddAnnotation(key, value string) error {
	if err := a.Attributes.AddAnnotation(key, value); err != nil {
		return err
	}
	a.auditAnnotations[key] = value
	return nil
}
