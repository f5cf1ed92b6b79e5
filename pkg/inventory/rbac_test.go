package inventory

import (
	"errors"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
)

const someRBAC = `
{apiVersion: rbac.authorization.k8s.io/v1beta1, kind: RoleBinding, metadata: {name: dev}, roleRef: {kind: ClusterRole, name: edit}, subjects: [{kind: User, name: dev}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: more, labels: {rbac.authorization.k8s.io/aggregate-to-view: "true"}}, rules: [{apiGroups: [example.com], resources: [widgets], verbs: [get]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: view-nodes}, rules: [{apiGroups: [""], resources: [nodes], verbs: [get]}]}
`

func readRBAC(t *testing.T, inventory Inventory) *RBAC {
	t.Helper()
	rbac, err := ReadRBAC(t.Context(), inventory)
	if err != nil {
		t.Fatal(err)
	}
	return rbac
}

func clusterRole(t *testing.T, rbac *RBAC, name string) *rbacv1.ClusterRole {
	t.Helper()
	i := slices.IndexFunc(rbac.ClusterRoles, func(r *rbacv1.ClusterRole) bool { return r.Name == name })
	if i < 0 {
		t.Fatal(name)
	}
	return rbac.ClusterRoles[i]
}

func hasWidgets(role *rbacv1.ClusterRole) bool {
	return slices.ContainsFunc(role.Rules, func(r rbacv1.PolicyRule) bool { return slices.Contains(r.Resources, "widgets") })
}

// TestRBACFromFiles: manifests are completed with what every API server and its controllers make.
func TestRBACFromFiles(t *testing.T) {
	rbac := readRBAC(t, readFiles(t, someRBAC))
	if !rbac.Assumed || len(rbac.RoleBindings) < 2 || rbac.RoleBindings[0].Namespace != "default" {
		t.Error(rbac.Assumed, rbac.RoleBindings)
	}
	for role, want := range map[string]bool{"view": true, "edit": true, "admin": true, "view-nodes": false, "system:node": false} {
		if got := hasWidgets(clusterRole(t, rbac, role)); got != want {
			t.Errorf("%s holds the aggregated rule: %v", role, got)
		}
	}
	if hasWidgets(clusterRole(t, defaultRBAC(), "view")) {
		t.Error("the defaults were changed")
	}
}

// TestRBACReplacesDefault: a manifest of a default role takes its place, rules and all.
func TestRBACReplacesDefault(t *testing.T) {
	rbac := readRBAC(t, readFiles(t, `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: view}, aggregationRule: {clusterRoleSelectors: [{matchLabels: {a: b}}]}, rules: [{apiGroups: [""], resources: [nodes], verbs: [get]}]}`))
	if rules := clusterRole(t, rbac, "view").Rules; len(rules) != 1 {
		t.Error(rules)
	}
}

// TestRBACFromSnapshot: a server's roles stay as the server decides by them.
func TestRBACFromSnapshot(t *testing.T) {
	out, _ := takeSnapshot(t, readFiles(t, someRBAC))
	if rbac := readRBAC(t, readFiles(t, out)); !rbac.Assumed {
		t.Error("a snapshot of manifests is manifests")
	}
	out = strings.Replace(out, "source: files", "source: cluster", 1)
	rbac := readRBAC(t, readFiles(t, out))
	if rbac.Assumed || len(rbac.ClusterRoles) != 2 || len(rbac.RoleBindings) != 1 {
		t.Error(rbac)
	}
}

func TestRBACUnknown(t *testing.T) {
	if _, err := ReadRBAC(t.Context(), readFiles(t, namespaceOnly)); !errors.Is(err, ErrNoRBAC) {
		t.Error(err)
	}
	out, _ := takeSnapshot(t, readFiles(t, someRBAC))
	out = strings.Replace(out, "resource: roles\n", "resource: others\n", 1)
	listError := (*ListError)(nil)
	if _, err := ReadRBAC(t.Context(), readFiles(t, out)); !errors.As(err, &listError) {
		t.Error(err)
	}
}

const namespaceOnly = `{apiVersion: v1, kind: Namespace, metadata: {name: a}}`
