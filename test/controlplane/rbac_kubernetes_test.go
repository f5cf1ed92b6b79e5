package controlplane

import (
	"context"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/authorization/union"
	rbaclisters "k8s.io/client-go/listers/rbac/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac"
)

// kubernetes authorizes as a kube-apiserver with --authorization-mode=RBAC: in a union with the privileged group
// (k8s.io/kubernetes pkg/kubeapiserver/authorizer/reload.go). Roles come from Kubernetes' own getters, for their
// errors; bindings in the world's order, as the server's own order changes from one question to the next.
func kubernetes(t *testing.T, w *world) authorizer.Authorizer {
	t.Helper()
	roles := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	for _, role := range w.Roles {
		must(t, roles.Add(role))
	}
	clusterRoles := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	for _, role := range w.decidedBy() {
		must(t, clusterRoles.Add(role))
	}
	all, err := union.New(
		union.NamedAuthorizer{AuthorizerName: "kubernetes.io/system-privileged-group", Authorizer: authorizerfactory.NewPrivilegedGroups(user.SystemPrivilegedGroup)},
		union.NamedAuthorizer{AuthorizerName: "rbac", Authorizer: rbac.New(
			&rbac.RoleGetter{Lister: rbaclisters.NewRoleLister(roles)}, inOrder{w},
			&rbac.ClusterRoleGetter{Lister: rbaclisters.NewClusterRoleLister(clusterRoles)}, inOrder{w})},
	)
	must(t, err)
	return all
}

// decidedBy are the ClusterRoles that the API server sees.
func (w *world) decidedBy() []*rbacv1.ClusterRole {
	if w.Aggregate {
		return w.filled
	}
	return w.ClusterRoles
}

// inOrder lists a world's bindings.
type inOrder struct{ *world }

func (w inOrder) ListRoleBindings(_ context.Context, namespace string) ([]*rbacv1.RoleBinding, error) {
	var bindings []*rbacv1.RoleBinding
	for _, b := range w.RoleBindings {
		if b.Namespace == namespace {
			bindings = append(bindings, b)
		}
	}
	return bindings, nil
}

func (w inOrder) ListClusterRoleBindings(context.Context) ([]*rbacv1.ClusterRoleBinding, error) {
	return w.ClusterRoleBindings, nil
}

// answer fills in Kubernetes' answers and counts them by sort.
func (w *world) answer(t *testing.T, counts map[string]int) {
	t.Helper()
	all := kubernetes(t, w)
	for i := range w.Questions {
		q := &w.Questions[i]
		decision, reason, err := all.Authorize(t.Context(), q.attributes())
		q.Decision, q.Reason = decision.String(), reason
		if err != nil {
			q.Err = err.Error()
		}
		counts[q.Decision]++
		if decision == authorizer.DecisionNoOpinion && reason != "" {
			counts["role missing"]++
		}
	}
}

func (q *question) attributes() authorizer.Attributes {
	return authorizer.AttributesRecord{
		User: &user.DefaultInfo{Name: q.User, Groups: q.Groups}, Verb: q.Verb, ResourceRequest: q.Resource, Path: q.Path,
		APIGroup: q.Group, Resource: q.Kind, Subresource: q.Subresource, Namespace: q.Namespace, Name: q.Name,
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
