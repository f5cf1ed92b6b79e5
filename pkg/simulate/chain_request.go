package simulate

import (
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// policyRequest is the request as policies see it, with the object as it stands at this point.
func (c *chain) policyRequest(object runtime.Object, unknown policy.Unknown) policy.Request {
	r := c.request
	kind := r.Kind
	kind.Kind = r.ObjectKind
	return policy.Request{
		Kind:            kind,
		Operation:       r.Operation,
		Subresource:     r.Subresource,
		Namespace:       r.Namespace,
		Name:            r.Name,
		Object:          object,
		OldObject:       r.Before,
		Options:         r.Options,
		User:            r.Requester.User(),
		Unknown:         unknown,
		NamespaceUnread: c.namespaceUnread,
		Order:           c.options.Order,
		Explain:         c.options.Explain,
	}
}

// unknownParts are the parts of the request's objects that nobody can know.
func (c *chain) unknownParts() policy.Unknown {
	r := c.request
	return policy.Unknown{
		Object:               r.UnknownProposed,
		OldObject:            r.UnknownBefore,
		UndefaultedObject:    r.UndefaultedProposed,
		UndefaultedOldObject: r.UndefaultedBefore,
		Redacted:             len(r.Redacted) > 0,
	}
}

func isNamespace(kind inventory.Kind) bool {
	return kind.Kind.Group == "" && kind.Kind.Kind == "Namespace"
}
