package authorization

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

const granting = `
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: writer}, rules: [{apiGroups: [apps], resources: [deployments], verbs: [patch]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: web}, rules: [{apiGroups: [apps], resources: [deployments], resourceNames: [web], verbs: [patch]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: everywhere}, roleRef: {kind: ClusterRole, name: writer},
 subjects: [{kind: Group, name: ops}, {kind: ServiceAccount, name: ci, namespace: ci}, {kind: ServiceAccount, name: lost}, {kind: Robot, name: r2}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: here, namespace: a}, roleRef: {kind: ClusterRole, name: writer}, subjects: [{kind: User, name: dev}, {kind: ServiceAccount, name: own}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: one, namespace: a}, roleRef: {kind: ClusterRole, name: web}, subjects: [{kind: User, name: kim}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: broken, namespace: a}, roleRef: {kind: Role, name: gone}, subjects: [{kind: User, name: sam}]}
`

func TestGrants(t *testing.T) {
	everywhere := []Subject{{Kind: "Group", Name: "ops"}, {Kind: "ServiceAccount", Namespace: "ci", Name: "ci"}}
	inA := append(slices.Clone(everywhere), Subject{Kind: "User", Name: "dev"}, Subject{Kind: "ServiceAccount", Namespace: "a", Name: "own"})
	r := rbacOf(t, granting)
	for asked, want := range map[string][]Subject{
		"patch deployments.apps a/api":        inA,
		"patch deployments.apps a/web":        append(slices.Clone(inA), Subject{Kind: "User", Name: "kim"}),
		"patch deployments.apps b/web":        everywhere,
		"patch deployments.apps/status a/web": nil,
		"delete deployments.apps a/web":       nil,
	} {
		var got []Subject
		for _, grant := range r.Grants(ask(nil, asked)) {
			got = append(got, grant.Subject)
			u := grant.Subject.Requester().User()
			if !grant.To(u) {
				t.Errorf("%s: %s is not the one whom %s binds", asked, u.GetName(), grant.By)
			}
			if decision, _, err := r.Authorize(t.Context(), ask(u, asked)); decision != authorizer.DecisionAllow || err != nil {
				t.Errorf("%s: %s has a grant and may not: %v", asked, grant.Subject, err)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", asked, diff)
		}
	}
}

func TestGrantsSayWhy(t *testing.T) {
	want := `RoleBinding "here/a" of ClusterRole "writer" to ServiceAccount "own/a"`
	grants := rbacOf(t, granting).Grants(ask(nil, "patch deployments.apps a/api"))
	if got := grants[len(grants)-1].By; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// On files a role may only be missing among the manifests.
func TestDangling(t *testing.T) {
	authorizer, err := New(files(t, granting), Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := authorizer.RBAC(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if gaps := r.Dangling(); len(gaps) != 1 || gaps[0].What != "Role gone" {
		t.Errorf("%+v", gaps)
	}
	if gaps := rbacOf(t, granting).Dangling(); len(gaps) != 0 {
		t.Errorf("on a server: %+v", gaps)
	}
}

// Who stands for a group has the groups that the API server adds, as its real members have.
func TestMembersOfGroups(t *testing.T) {
	for group, want := range map[string][]string{
		"ops":                           {"ops", "system:authenticated"},
		"system:authenticated":          {"system:authenticated"},
		"system:unauthenticated":        {"system:unauthenticated"},
		"system:serviceaccounts":        {"system:serviceaccounts", "system:serviceaccounts:member-of-group-invalid", "system:authenticated"},
		"system:serviceaccounts:team-a": {"system:serviceaccounts:team-a", "system:serviceaccounts", "system:authenticated"},
	} {
		if got := (Subject{Kind: "Group", Name: group}).Requester().Groups; !cmp.Equal(want, got) {
			t.Errorf("%s: got %v, want %v", group, got, want)
		}
	}
}
