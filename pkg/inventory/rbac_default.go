package inventory

import (
	_ "embed"
	"fmt"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// rbacDefaultJSON are the roles and bindings that an API server makes by itself, such as edit and cluster-admin
// (https://kubernetes.io/docs/reference/access-authn-authz/rbac/#default-roles-and-role-bindings).
// TestRecordDefaultRBAC records them from a running one.
//
//go:embed rbac_default.json
var rbacDefaultJSON []byte

// defaultRBAC is shared and not to be changed.
var defaultRBAC = sync.OnceValue(func() *RBAC {
	rbac := &RBAC{}
	if err := utiljson.Unmarshal(rbacDefaultJSON, rbac); err != nil {
		panic(fmt.Sprintf("rbac_default.json, which is part of this program, can't be read: %v", err))
	}
	return rbac
})

// assume makes of manifests what a whole cluster would have: manifests bind roles such as edit, which every API
// server makes, and rarely hold them.
func (r *RBAC) assume() *RBAC {
	defaults := defaultRBAC()
	whole := &RBAC{
		Roles:               withMissing(r.Roles, defaults.Roles),
		ClusterRoles:        withMissing(r.ClusterRoles, defaults.ClusterRoles),
		RoleBindings:        withMissing(r.RoleBindings, defaults.RoleBindings),
		ClusterRoleBindings: withMissing(r.ClusterRoleBindings, defaults.ClusterRoleBindings),
		Assumed:             true,
	}
	return whole.Aggregate()
}

// withMissing adds the objects whose names are not there yet.
func withMissing[T metav1.Object](objects, more []T) []T {
	type key struct{ namespace, name string }
	there := map[key]bool{}
	for _, object := range objects {
		there[key{object.GetNamespace(), object.GetName()}] = true
	}
	for _, object := range more {
		if !there[key{object.GetNamespace(), object.GetName()}] {
			objects = append(objects, object)
		}
	}
	return objects
}
