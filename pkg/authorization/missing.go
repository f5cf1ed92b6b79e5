package authorization

import (
	"fmt"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// missing lists the roles that the user is bound to and that are not among the manifests: on the cluster they may
// exist, and allow what is asked. On a server's own objects a missing role is none.
func (r *RBAC) missing(a authorizer.Attributes) []inventory.Gap {
	if !r.assumed {
		return nil
	}
	var gaps []inventory.Gap
	r.visit(a.GetUser(), a.GetNamespace(), func(b *binding, s rbacv1.Subject) bool {
		if _, err := r.rules(b); err != nil {
			gaps = append(gaps, b.gap(s))
		}
		return true
	})
	return gaps
}

// gap says that a binding's role is not among the manifests.
func (b *binding) gap(s rbacv1.Subject) inventory.Gap {
	return inventory.Gap{
		What: fmt.Sprintf("%s %s", b.role.Kind, b.role.Name),
		Why:  fmt.Sprintf("%s, and that role is not among the manifests; it is taken to allow nothing", b.describe(s)),
	}
}
