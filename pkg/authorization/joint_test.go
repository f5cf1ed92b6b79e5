package authorization

import (
	"fmt"
	"slices"
	"testing"
)

// TestJointPaths: to be two at once takes a right for each, and one for a user where both are groups.
func TestJointPaths(t *testing.T) {
	group := func(name string) Subject { return Subject{Kind: "Group", Name: name} }
	dev, ops, devs := Subject{Kind: "User", Name: "dev"}, group("ops"), group("devs")
	account := Subject{Kind: "ServiceAccount", Namespace: "ci", Name: "deployer"}
	classically := func(rest string) string { return roleWith(`{apiGroups: [""], verbs: [impersonate], ` + rest + `}`) }
	for _, c := range []struct {
		rbac     string
		to, with Subject
		want     bool
	}{
		{classically(`resources: [users, groups], resourceNames: [dev, ops]`), ops, dev, true},
		{classically(`resources: [users, groups], resourceNames: [alice, ops]`), ops, dev, false},
		{classically(`resources: [users, groups], resourceNames: [dev]`), ops, dev, false},
		{classically(`resources: [groups]`), ops, dev, false},
		{classically(`resources: [groups, serviceaccounts], resourceNames: [ops, deployer]`), ops, account, true},
		{classically(`resources: [groups, serviceaccounts], resourceNames: [devs, deployer]`), account, devs, true},
		{classically(`resources: [groups]`), ops, devs, false},
		{classically(`resources: [groups, users], resourceNames: [ops, devs, x]`), ops, devs, true},
		{classically(`resources: [groups, users], resourceNames: [ops, x]`), ops, devs, false},
		{classically(`resources: [groups, users], resourceNames: [ops, x]`), ops, group("system:authenticated"), true},
		{classically(`resources: [groups, users]`), ops, ops, false},
		{classically(`resources: [users]`), dev, account, false},
		{constrainedTo(`resources: [users, groups], verbs: ["impersonate:user-info"]`, "user-info:patch"), ops, dev, true},
		{constrainedTo(`resources: [users, groups], verbs: ["impersonate:user-info"]`, "user-info:get"), ops, dev, false},
		{constrainedTo(`resources: [users, groups], verbs: ["impersonate:user-info"]`, "user-info:patch"), ops, devs, true},
		{constrainedTo(`resources: [users, groups], verbs: ["impersonate:user-info"]`, "user-info:patch"), group("system:masters"), dev, false},
		{constrainedTo(`resources: [serviceaccounts, groups], verbs: ["impersonate:user-info", "impersonate:serviceaccount"]`, "user-info:patch"), ops, account, false},
	} {
		t.Run(fmt.Sprintf("%s with %s %s", c.to, c.with, c.rbac), func(t *testing.T) {
			paths := rbacOf(t, c.rbac).JointPaths(c.to, c.with, patching)
			if !c.want && len(paths) == 0 {
				return
			}
			if !c.want || len(paths) != 1 || paths[0].From != dev || paths[0].To != c.to || *paths[0].With != c.with || paths[0].Kind != PathImpersonation || len(paths[0].Rights) < 2 {
				t.Errorf("got %+v", paths)
			}
		})
	}
}

// A service account that is impersonated with groups has these groups and no others.
func TestJointRequester(t *testing.T) {
	ops, account := Subject{Kind: "Group", Name: "ops"}, Subject{Kind: "ServiceAccount", Namespace: "ci", Name: "deployer"}
	got := JointRequester(ops, account)
	if got.Username != "system:serviceaccount:ci:deployer" || !slices.Equal(got.Groups, []string{"ops", "system:authenticated"}) {
		t.Errorf("%+v", got)
	}
	got = JointRequester(ops, Subject{Kind: "Group", Name: "system:authenticated"})
	if got.Username != member || !slices.Equal(got.Groups, []string{"ops", "system:authenticated"}) {
		t.Errorf("%+v", got)
	}
}

func TestImpersonated(t *testing.T) {
	rbac := rbacOf(t, roleWith(`{apiGroups: [""], resources: [groups, users], resourceNames: [ops, dev], verbs: [impersonate]}, {apiGroups: [""], resources: [secrets], resourceNames: [x], verbs: [get]}`))
	for name, want := range map[string]bool{"ops": true, "dev": true, "x": false} {
		for _, kind := range []string{"User", "Group"} {
			if got := slices.Contains(rbac.Impersonated(), Subject{Kind: kind, Name: name}); got != want {
				t.Errorf("%s %s: got %v", kind, name, got)
			}
		}
	}
	if !rbac.ImpersonatesGroups(rbac.Administrators()) {
		t.Error("dev may impersonate a group")
	}
	for _, rules := range []string{`{apiGroups: [""], resources: [users], verbs: [impersonate]}`, `{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}`} {
		if rbac := rbacOf(t, roleWith(rules)); rbac.ImpersonatesGroups(rbac.Administrators()) {
			t.Error(rules)
		}
	}
}
