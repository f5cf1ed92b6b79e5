package authorization

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// roleWith binds dev to a ClusterRole with one rule.
func roleWith(rule string) string {
	return `
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: r}, rules: [` + rule + `]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: b}, roleRef: {kind: ClusterRole, name: r}, subjects: [{kind: User, name: dev}]}
`
}

// TestRules: what a rule stands for (https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-resources).
func TestRules(t *testing.T) {
	const writeDeployments = `{apiGroups: [apps], resources: [deployments], verbs: [patch, update]}`
	cases := []struct {
		rule, asked string
		want        bool
	}{
		{writeDeployments, "patch deployments.apps a/web", true},
		{writeDeployments, "patch deployments.apps web", true},
		{writeDeployments, "delete deployments.apps a/web", false},
		{writeDeployments, "patch deployments a/web", false},
		{writeDeployments, "patch deployments.apps/scale a/web", false},
		{writeDeployments, "patch /deployments", false},
		{`{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}`, "whatever things.example.com/sub a/x", true},
		{`{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}`, "get /healthz", false},
		{`{apiGroups: [apps], resources: ["*/scale"], verbs: [patch]}`, "patch deployments.apps/scale a/web", true},
		{`{apiGroups: [apps], resources: ["*/scale"], verbs: [patch]}`, "patch deployments.apps/status a/web", false},
		{`{apiGroups: [apps], resources: ["*/scale"], verbs: [patch]}`, "patch deployments.apps a/web", false},
		{`{apiGroups: [apps], resources: ["deployments/*"], verbs: [patch]}`, "patch deployments.apps/scale a/web", false},
		{`{apiGroups: [apps], resources: [deployments], resourceNames: [web], verbs: [patch]}`, "patch deployments.apps a/web", true},
		{`{apiGroups: [apps], resources: [deployments], resourceNames: [web], verbs: [patch]}`, "patch deployments.apps a/api", false},
		{`{apiGroups: [apps], resources: [deployments], resourceNames: [web], verbs: [create]}`, "create deployments.apps a/", false},
		{`{nonResourceURLs: ["/healthz", "/metrics/*"], verbs: [get]}`, "get /healthz", true},
		{`{nonResourceURLs: ["/healthz", "/metrics/*"], verbs: [get]}`, "get /healthz/etcd", false},
		{`{nonResourceURLs: ["/healthz", "/metrics/*"], verbs: [get]}`, "get /metrics/slis", true},
		{`{nonResourceURLs: ["/healthz", "/metrics/*"], verbs: [get]}`, "get /metrics", false},
		{`{nonResourceURLs: ["*"], verbs: [get]}`, "get /x", true},
		{`{nonResourceURLs: ["*"], verbs: [get]}`, "get pods a/x", false},
	}
	for _, c := range cases {
		decision, reason, err := rbacOf(t, roleWith(c.rule)).Authorize(t.Context(), ask(dev(), c.asked))
		if got := decision == authorizer.DecisionAllow; got != c.want || err != nil {
			t.Errorf("%s, %s: got %v %q %v", c.rule, c.asked, decision, reason, err)
		}
	}
}

const writer = `
{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: writer, namespace: a}, rules: [{apiGroups: [apps], resources: [deployments], verbs: [patch]}]}
---
`

// TestSubjects: whom a binding is for, and how the API server names it as the reason.
func TestSubjects(t *testing.T) {
	bot := &user.DefaultInfo{Name: "system:serviceaccount:a:bot", Groups: []string{"system:serviceaccounts", "system:serviceaccounts:a", user.AllAuthenticated}}
	cases := []struct {
		subject string
		user    user.Info
		want    string
	}{
		{`{kind: User, name: dev}`, dev(), `User "dev"`},
		{`{kind: User, name: dev, apiGroup: nonsense}`, dev(), `User "dev"`},
		{`{kind: User, name: "system:serviceaccount:a:bot"}`, bot, `User "system:serviceaccount:a:bot"`},
		{`{kind: User, name: other}`, dev(), ""},
		{`{kind: Group, name: devs}`, dev("devs"), `Group "devs"`},
		{`{kind: Group, name: "system:authenticated"}`, dev(), `Group "system:authenticated"`},
		{`{kind: Group, name: dev}`, dev(), ""},
		{`{kind: ServiceAccount, name: bot}`, bot, `ServiceAccount "bot/a"`},
		{`{kind: ServiceAccount, name: bot, namespace: a}`, bot, `ServiceAccount "bot/a"`},
		{`{kind: ServiceAccount, name: bot, namespace: b}`, bot, ""},
		{`{kind: ServiceAccount, name: bot}`, dev(), ""},
		{`{kind: Robot, name: dev}`, dev(), ""},
	}
	for _, c := range cases {
		binding := `{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: b, namespace: a}, roleRef: {kind: Role, name: writer}, subjects: [` + c.subject + `]}`
		rbac := rbacOf(t, writer+binding)
		decision, reason, err := rbac.Authorize(t.Context(), ask(c.user, "patch deployments.apps a/web"))
		want := ""
		if c.want != "" {
			want = `RBAC: allowed by RoleBinding "b/a" of Role "writer" to ` + c.want
		}
		if reason != want || err != nil || (decision == authorizer.DecisionAllow) != (want != "") {
			t.Errorf("%s: %v %q %v", c.subject, decision, reason, err)
		}
		if decision, _, _ := rbac.Authorize(t.Context(), ask(c.user, "patch deployments.apps b/web")); decision == authorizer.DecisionAllow {
			t.Errorf("%s: allowed in another namespace", c.subject)
		}
	}
}

// TestMissingRole: a binding whose role is gone allows nothing, is named in the denial, and doesn't hide other bindings.
func TestMissingRole(t *testing.T) {
	const gone = `{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: a, namespace: a}, roleRef: {kind: Role, name: gone}, subjects: [{kind: User, name: dev}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: a}, roleRef: {kind: ClusterRole, name: gone}, subjects: [{kind: Group, name: devs}]}
---
`
	const bound = `{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: b, namespace: a}, roleRef: {kind: Role, name: writer}, subjects: [{kind: User, name: dev}]}`
	asked := ask(dev("devs"), "patch deployments.apps a/web")
	_, reason, err := rbacOf(t, gone).Authorize(t.Context(), asked)
	if want := `rbac: RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "gone" not found]`; reason != want || err != nil {
		t.Error(reason, err)
	}
	decision, _, err := rbacOf(t, gone+writer+bound).Authorize(t.Context(), asked)
	if decision != authorizer.DecisionAllow || err != nil {
		t.Error(decision, err)
	}
}

// TestPrivilegedGroup: system:masters may do everything, without any role.
func TestPrivilegedGroup(t *testing.T) {
	for _, text := range []string{"patch deployments.apps a/web", "get /x"} {
		decision, reason, err := rbacOf(t, roleWith("")).Authorize(t.Context(), ask(dev("system:masters"), text))
		if decision != authorizer.DecisionAllow || reason != "" || err != nil {
			t.Error(text, decision, reason, err)
		}
	}
}

// manyBindings are n bindings of dev's in one namespace, of which the last one counts.
func manyBindings(n int) string {
	var text strings.Builder
	text.WriteString(writer)
	for i := range n {
		fmt.Fprintf(&text, `{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: b%d, namespace: a}, roleRef: {kind: Role, name: writer}, subjects: [{kind: User, name: u%d}, {kind: Group, name: g%d}, {kind: ServiceAccount, name: s%d}]}
---
`, i, i, i, i)
	}
	return text.String()
}

func BenchmarkRBAC1000Bindings(b *testing.B) {
	rbac := rbacOf(b, manyBindings(1000))
	cases := map[string]user.Info{"last": &user.DefaultInfo{Name: "u999"}, "none": dev("devs", "admins")}
	for name, u := range cases {
		b.Run(name, func(b *testing.B) {
			asked := ask(u, "patch deployments.apps a/web")
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := rbac.Authorize(b.Context(), asked); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
