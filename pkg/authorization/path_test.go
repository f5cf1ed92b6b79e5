package authorization

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// patching is what would be requested as the other one.
var patching = ask(nil, "patch deployments.apps team-a/web")

// inNamespaceCI binds dev to a Role with these rules in the namespace ci.
func inNamespaceCI(rules string) string {
	return `
{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: r, namespace: ci}, rules: [` + rules + `]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: b, namespace: ci}, roleRef: {kind: Role, name: r}, subjects: [{kind: User, name: dev}]}
`
}

// TestPaths: what each way takes, and what is not enough.
func TestPaths(t *testing.T) {
	account := Subject{Kind: "ServiceAccount", Namespace: "ci", Name: "deployer"}
	alice, ops := Subject{Kind: "User", Name: "alice"}, Subject{Kind: "Group", Name: "ops"}
	accounts := Subject{Kind: "Group", Name: "system:serviceaccounts:ci"}
	cases := []struct {
		rbac string
		to   Subject
		want PathKind // "" is none
	}{
		{inNamespaceCI(`{apiGroups: [""], resources: [serviceaccounts], verbs: [impersonate]}`), account, PathImpersonation},
		{inNamespaceCI(`{apiGroups: [""], resources: [serviceaccounts], resourceNames: [deployer], verbs: [impersonate]}`), account, PathImpersonation},
		{inNamespaceCI(`{apiGroups: [""], resources: [serviceaccounts], resourceNames: [other], verbs: [impersonate]}`), account, ""},
		{inNamespaceCI(`{apiGroups: [""], resources: [users], verbs: [impersonate]}`), alice, ""},
		{inNamespaceCI(`{apiGroups: [""], resources: [serviceaccounts/token], verbs: [create]}`), account, PathToken},
		{inNamespaceCI(`{apiGroups: [""], resources: [serviceaccounts/token], resourceNames: [other], verbs: [create]}`), account, ""},
		{inNamespaceCI(`{apiGroups: [""], resources: [serviceaccounts], verbs: [create, get, list]}`), account, ""},
		{inNamespaceCI(`{apiGroups: [""], resources: [pods], verbs: [create]}`), account, PathPod},
		{inNamespaceCI(`{apiGroups: [batch], resources: [cronjobs], verbs: ["*"]}`), account, PathPod},
		{inNamespaceCI(`{apiGroups: [""], resources: [pods], verbs: [get, list, delete]}`), account, ""},
		{inNamespaceCI(`{apiGroups: [""], resources: [pods], verbs: [create]}`), alice, ""},
		{strings.ReplaceAll(inNamespaceCI(`{apiGroups: [""], resources: [pods], verbs: [create]}`), "namespace: ci", "namespace: other"), account, ""},

		{roleWith(`{apiGroups: [""], resources: [users], verbs: [impersonate]}`), alice, PathImpersonation},
		{roleWith(`{apiGroups: [""], resources: [users], resourceNames: [bob], verbs: [impersonate]}`), alice, ""},
		{roleWith(`{apiGroups: [""], resources: [users], verbs: [impersonate]}`), ops, ""},
		{roleWith(`{apiGroups: [""], resources: [groups], verbs: [impersonate]}`), ops, ""},
		{roleWith(`{apiGroups: [""], resources: [users, groups], verbs: [impersonate]}`), ops, PathImpersonation},
		{roleWith(`{apiGroups: [""], resources: [serviceaccounts, groups], resourceNames: [ops, x], verbs: [impersonate]}`), ops, PathImpersonation},

		{inNamespaceCI(`{apiGroups: [""], resources: [serviceaccounts, serviceaccounts/token], verbs: [create]}`), accounts, PathAccount},
		{inNamespaceCI(`{apiGroups: [""], resources: [serviceaccounts, pods], verbs: [create]}`), accounts, PathAccount},
		{inNamespaceCI(`{apiGroups: [""], resources: [serviceaccounts], verbs: [create]}`), accounts, ""},
		{inNamespaceCI(`{apiGroups: [""], resources: [serviceaccounts], verbs: [impersonate]}`), accounts, PathImpersonation},

		{constrainedTo(`resources: [serviceaccounts], verbs: ["impersonate:serviceaccount"]`, "serviceaccount:patch"), account, PathImpersonation},
		{constrainedTo(`resources: [serviceaccounts], verbs: ["impersonate:serviceaccount"]`, "serviceaccount:get"), account, ""},
		{constrainedTo(`resources: [serviceaccounts], verbs: ["impersonate:user-info"]`, "serviceaccount:patch"), account, ""},
		{constrainedTo(`resources: [users], verbs: ["impersonate:user-info"]`, "user-info:patch"), alice, PathImpersonation},
		{constrainedTo(`resources: [users], verbs: ["impersonate:user-info"]`, "user-info:patch"), ops, ""},
		{constrainedTo(`resources: [users, groups], verbs: ["impersonate:user-info"]`, "user-info:patch"), ops, PathImpersonation},
		{constrainedTo(`resources: [users, groups], verbs: ["impersonate:user-info"]`, "user-info:patch"), Subject{Kind: "Group", Name: "system:masters"}, ""},
	}
	for _, c := range cases {
		t.Run(fmt.Sprintf("%s %s", c.to, c.rbac), func(t *testing.T) {
			rbac := rbacOf(t, c.rbac)
			paths := JoinPaths(rbac.Paths(c.to), rbac.ConstrainedPaths(c.to, patching))
			switch {
			case c.want == "" && len(paths) == 0:
			case len(paths) != 1 || paths[0].Kind != c.want:
				t.Errorf("got %+v, want %q", paths, c.want)
			case paths[0].From != (Subject{Kind: "User", Name: "dev"}) || paths[0].To != c.to || !strings.Contains(paths[0].Rights[0].By, `"b`):
				t.Errorf("got %+v", paths[0])
			}
		})
	}
}

// constrainedTo lets dev impersonate in the constrained form, and make one kind of request by it.
func constrainedTo(rule, on string) string {
	return roleWith(`{apiGroups: [authentication.k8s.io], ` + rule + `}, {apiGroups: [apps], resources: [deployments], verbs: ["impersonate-on:` + on + `"]}`)
}

// The constrained forms came with 1.36, and one who has both has one path.
func TestConstrainedPaths(t *testing.T) {
	alice := Subject{Kind: "User", Name: "alice"}
	rbac := rbacOf(t, roleWith(`{apiGroups: ["", authentication.k8s.io, apps], resources: ["*"], verbs: ["*"]}`))
	both := JoinPaths(rbac.Paths(alice), rbac.ConstrainedPaths(alice, patching))
	if len(both) != 1 || len(rbac.ConstrainedPaths(alice)) != 0 || len(rbac.ConstrainedPaths(alice, patching)) != 1 {
		t.Errorf("%+v", both)
	}
	for version, want := range map[string]bool{"v1.35.9": false, "v1.36.0": true, "v1.37.2-gke.1": true, "unheard of": true} {
		if got := ImpersonatesConstrained(version); got != want {
			t.Errorf("%s: got %v", version, got)
		}
	}
}

// Each right may come from another binding, one of them from a group that everybody is in. The words are those of the right and of RBAC.
func TestPathsOfSeveralRights(t *testing.T) {
	rbac := rbacOf(t, roleWith(`{apiGroups: [""], resources: [groups], verbs: [impersonate]}`)+`
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: own}, rules: [{apiGroups: [""], resources: [users], resourceNames: [me], verbs: [impersonate]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: all}, roleRef: {kind: ClusterRole, name: own}, subjects: [{kind: Group, name: "system:authenticated"}]}
`)
	ops := Subject{Kind: "Group", Name: "ops"}
	want := []Path{{Kind: PathImpersonation, From: Subject{Kind: "User", Name: "dev"}, To: ops, Rights: []Right{
		{What: "impersonate groups ops", By: `ClusterRoleBinding "b" of ClusterRole "r" to User "dev"`},
		{What: "impersonate users", By: `ClusterRoleBinding "all" of ClusterRole "own" to Group "system:authenticated"`},
	}}}
	if diff := cmp.Diff(want, rbac.Paths(ops)); diff != "" {
		t.Error(diff)
	}
}

// What a path is made of is what the authorizer allows.
func TestPathsAreAllowed(t *testing.T) {
	rbac := rbacOf(t, inNamespaceCI(`{apiGroups: [""], resources: [serviceaccounts, serviceaccounts/token, pods], verbs: [create, impersonate]}`))
	var kinds []PathKind
	for _, path := range rbac.Paths(Subject{Kind: "ServiceAccount", Namespace: "ci", Name: "deployer"}) {
		kinds = append(kinds, path.Kind)
		for _, right := range path.Rights {
			verb, rest, _ := strings.Cut(strings.TrimSuffix(right.What, " in namespace ci"), " ")
			resource, name, _ := strings.Cut(rest, " ")
			decision, _, err := rbac.Authorize(t.Context(), ask(path.From.Requester().User(), verb+" "+resource+" ci/"+name))
			if decision != authorizer.DecisionAllow || err != nil {
				t.Errorf("%s: %v %v", right.What, decision, err)
			}
		}
	}
	if want := []PathKind{PathImpersonation, PathToken, PathPod}; !slices.Equal(kinds, want) {
		t.Errorf("got %v, want %v", kinds, want)
	}
}

func TestAdministrators(t *testing.T) {
	const all = `{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}`
	bound := func(rule, subject string) string {
		return strings.ReplaceAll(roleWith(rule), "{kind: User, name: dev}", subject)
	}
	dev := Subject{Kind: "User", Name: "dev"}
	for _, c := range []struct {
		rbac string
		s    Subject
		want bool
	}{
		{roleWith(all), dev, true},
		{roleWith(`{apiGroups: ["*"], resources: ["*"], verbs: [get, list, watch]}`), dev, false},
		{roleWith(`{apiGroups: [apps], resources: ["*"], verbs: ["*"]}`), dev, false},
		{inNamespaceCI(all), dev, false},
		{bound(all, `{kind: Group, name: "system:authenticated"}`), dev, false},
		{bound(all, `{kind: Group, name: "system:serviceaccounts:ops"}`), Subject{Kind: "ServiceAccount", Namespace: "ops", Name: "x"}, true},
		{roleWith(all), Subject{Kind: "User", Name: "other"}, false},
		{roleWith(all), Subject{Kind: "Group", Name: "system:masters"}, true},
		{roleWith(all), Subject{Kind: "Group", Name: "system:authenticated"}, false},
		{roleWith(all), Subject{Kind: "ServiceAccount", Namespace: "kube-system", Name: "job-controller"}, true},
		{roleWith(all), Subject{Kind: "User", Name: "system:kube-controller-manager"}, true},
		{roleWith(all), Subject{Kind: "User", Name: "system:anonymous"}, false},
	} {
		if got := rbacOf(t, c.rbac).Administrators().Include(c.s); got != c.want {
			t.Errorf("%s, %s: got %v", c.s, c.rbac, got)
		}
	}
}
