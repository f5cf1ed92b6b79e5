package authorization

import (
	"context"
	"errors"
	"fmt"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// RBAC authorizes by roles and bindings, as an API server with --authorization-mode=RBAC does. It is safe for concurrent use.
//
// The server looks at bindings in no fixed order, RBAC in the inventory's: where several bindings allow a request, or several roles are
// missing, the reason is one of those the server may give.
type RBAC struct {
	roles           map[roleKey][]rbacv1.PolicyRule
	clusterBindings []binding
	bindings        map[string][]binding // by namespace
	assumed         bool
}

type roleKey struct{ kind, namespace, name string }

// NewRBAC returns an authorizer that decides by an inventory's roles and bindings.
func NewRBAC(objects *inventory.RBAC) *RBAC {
	r := &RBAC{roles: map[roleKey][]rbacv1.PolicyRule{}, bindings: map[string][]binding{}, assumed: objects.Assumed}
	for _, o := range objects.Roles {
		r.roles[roleKey{"Role", o.Namespace, o.Name}] = o.Rules
	}
	for _, o := range objects.ClusterRoles {
		r.roles[roleKey{"ClusterRole", "", o.Name}] = o.Rules
	}
	for _, o := range objects.ClusterRoleBindings {
		r.clusterBindings = append(r.clusterBindings, binding{name: o.Name, role: o.RoleRef, subjects: o.Subjects})
	}
	for _, o := range objects.RoleBindings {
		b := binding{namespace: o.Namespace, name: o.Name, role: o.RoleRef, subjects: o.Subjects}
		r.bindings[o.Namespace] = append(r.bindings[o.Namespace], b)
	}
	return r
}

// Authorize implements authorizer.UnconditionalAuthorizer with the API server's decision, reason and error
// (k8s.io/kubernetes pkg/kubeapiserver/authorizer, the privileged group and RBAC in a union).
func (r *RBAC) Authorize(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	if a.GetUser() == nil {
		return authorizer.DecisionNoOpinion, "", errors.New("no user on request")
	}
	if isPrivileged(a.GetUser()) {
		return authorizer.DecisionAllow, "", nil
	}
	allowedBy, failed := r.find(a)
	switch {
	case allowedBy != "":
		return authorizer.DecisionAllow, "RBAC: allowed by " + allowedBy, nil
	case len(failed) > 0:
		// The union of authorizers puts the authorizer's name before its reason, but only for a refusal.
		return authorizer.DecisionNoOpinion, fmt.Sprintf("rbac: RBAC: %v", utilerrors.NewAggregate(failed)), nil
	}
	return authorizer.DecisionNoOpinion, "", nil
}

// find looks for a binding whose role allows what is asked and describes it, else returns what went wrong on the way.
func (r *RBAC) find(a authorizer.Attributes) (allowedBy string, failed []error) {
	r.visit(a.GetUser(), a.GetNamespace(), func(b *binding, s rbacv1.Subject) bool {
		rules, err := r.rules(b)
		if err != nil {
			failed = append(failed, err)
		}
		for i := range rules {
			if ruleAllows(&rules[i], a) {
				allowedBy = b.describe(s)
				return false
			}
		}
		return true
	})
	return allowedBy, failed
}

// visit calls a function with each binding of a user until it returns false: those of the whole cluster first.
func (r *RBAC) visit(u user.Info, namespace string, see func(*binding, rbacv1.Subject) bool) {
	lists := [][]binding{r.clusterBindings}
	if namespace != "" {
		lists = append(lists, r.bindings[namespace])
	}
	for _, list := range lists {
		for i := range list {
			if subject, applies := list[i].subject(u); applies && !see(&list[i], subject) {
				return
			}
		}
	}
}

// rules returns the rules of a binding's role. A role that isn't there is an error with which the search goes on.
func (r *RBAC) rules(b *binding) ([]rbacv1.PolicyRule, error) {
	key := roleKey{kind: b.role.Kind, name: b.role.Name}
	resource := "clusterrole"
	switch b.role.Kind {
	case "Role":
		resource, key.namespace = "role", b.namespace
	case "ClusterRole":
	default:
		return nil, fmt.Errorf("unsupported role reference kind: %q", b.role.Kind)
	}
	rules, found := r.roles[key]
	if !found {
		return nil, apierrors.NewNotFound(rbacv1.Resource(resource), b.role.Name)
	}
	return rules, nil
}
