package inventory

import (
	"context"
	"errors"
	"fmt"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// ErrNoRBAC says that there are no roles and no bindings at all, so that nothing is known of who may do what.
var ErrNoRBAC = errors.New("there are no roles and no bindings among the objects")

// RBAC are the roles and bindings that say who may do what
// (https://kubernetes.io/docs/reference/access-authn-authz/rbac/). They are not to be changed.
type RBAC struct {
	Roles               []*rbacv1.Role
	ClusterRoles        []*rbacv1.ClusterRole
	RoleBindings        []*rbacv1.RoleBinding
	ClusterRoleBindings []*rbacv1.ClusterRoleBinding

	// Assumed says that they come from manifests: an API server's own default roles and bindings were added, aggregated
	// roles were filled in as its controller would, and a role that is not here may exist all the same.
	Assumed bool
}

var rbacResources = []string{"roles", "clusterroles", "rolebindings", "clusterrolebindings"}

// ReadRBAC reads all roles and bindings of an inventory; nothing of them is read before. Those of a server, live
// or in a snapshot, are as the server decides by them, aggregated roles included. The error says which could not
// be listed (*ListError), or is ErrNoRBAC.
func ReadRBAC(ctx context.Context, inventory Inventory) (*RBAC, error) {
	kinds, err := rbacKinds(inventory.Kinds())
	if err != nil {
		return nil, err
	}
	rbac := &RBAC{}
	var failed []error
	for object, err := range inventory.Objects(ctx, Query{Kinds: kinds}) {
		if err != nil {
			failed = append(failed, err)
			continue
		}
		rbac.add(object.Value)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case len(failed) > 0:
		return nil, firstOf(failed)
	case rbac.empty():
		return nil, ErrNoRBAC
	case inventory.Server().Assumed:
		return rbac.assume(), nil
	}
	return rbac, nil
}

func rbacKinds(served *Kinds) ([]Kind, error) {
	var kinds []Kind
	for _, resource := range rbacResources {
		gvr := rbacv1.SchemeGroupVersion.WithResource(resource)
		kind, found := served.ForResource(gvr)
		if !found {
			return nil, fmt.Errorf("%w: %s is not served", ErrNoRBAC, gvr.GroupResource())
		}
		kinds = append(kinds, kind)
	}
	return kinds, nil
}

func (r *RBAC) empty() bool {
	return len(r.Roles)+len(r.ClusterRoles)+len(r.RoleBindings)+len(r.ClusterRoleBindings) == 0
}

// add keeps an object without the part of it that is large and of no use here.
func (r *RBAC) add(object runtime.Object) {
	if m, ok := object.(metav1.Object); ok {
		m.SetManagedFields(nil)
	}
	switch o := object.(type) {
	case *rbacv1.Role:
		r.Roles = append(r.Roles, o)
	case *rbacv1.ClusterRole:
		r.ClusterRoles = append(r.ClusterRoles, o)
	case *rbacv1.RoleBinding:
		r.RoleBindings = append(r.RoleBindings, o)
	case *rbacv1.ClusterRoleBinding:
		r.ClusterRoleBindings = append(r.ClusterRoleBindings, o)
	}
}
