package e2e

import (
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/verify"
)

const verifyRights = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: look-on}
rules:
- {apiGroups: ["*"], resources: ["*"], verbs: [get, list]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: look-on}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: look-on}
subjects:
- {apiGroup: rbac.authorization.k8s.io, kind: User, name: onlooker}
- {apiGroup: rbac.authorization.k8s.io, kind: User, name: half}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: half}
rules:
- {apiGroups: [""], resources: [users], verbs: [impersonate], resourceNames: [dev, powerless]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: half}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: half}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: half}]
`

// TestVerifyWithoutRights: what keeps the question from being asked is told with the RBAC rule that is missing.
func TestVerifyWithoutRights(t *testing.T) {
	apply(t, "testdata/cluster.yaml")
	guard(t, "testdata/validating.yaml")
	if err := server.Apply(t.Context(), []byte(verifyRights)); err != nil {
		t.Fatal(err)
	}
	change := []string{"deploy/annotated", "-n", "team-a", "--set", "exclude=false"}
	for _, c := range []struct {
		name, user string
		args       []string
		want       string
	}{
		{"impersonate a user", "onlooker", append([]string{"as-user", "dev"}, change...), `resources: ["users"], verbs: ["impersonate"], resourceNames: ["dev"]`},
		{"impersonate a service account", "onlooker", append([]string{"as-serviceaccount", "team-a:ci"}, change...), `resources: ["serviceaccounts"], verbs: ["impersonate"], resourceNames: ["ci"]} in the namespace team-a`},
		{"impersonate a group", "half", append([]string{"as-user", "dev", "--user-group", "ops"}, change...), `resources: ["groups"], verbs: ["impersonate"], resourceNames: ["ops"]`},
		{"impersonate an extra", "half", append([]string{"as-user", "dev", "--user-extra", "example.com/a=b"}, change...), `resources: ["userextras/example.com/a"], verbs: ["impersonate"], resourceNames: ["b"]`},
		{"impersonate a UID", "half", append([]string{"as-user", "dev", "--user-uid", "1"}, change...), `resources: ["uids"], verbs: ["impersonate"], resourceNames: ["1"]`},
		{"guard", "half", []string{"deploy/annotated", "-n", "team-a", "--as-user", "powerless"}, `apiGroups: ["apps"], resources: ["deployments"], verbs: ["patch"]} in the namespace team-a`},
	} {
		t.Run(c.name, func(t *testing.T) {
			user, err := server.AddUser(c.user)
			if err != nil {
				t.Fatal(err)
			}
			report, out := verified(t, user.Kubeconfig, "", c.args...)
			if out.Code != 2 || report.Summary.NotAsked == 0 || report.Summary.NotAsked != report.Summary.Requests {
				t.Errorf("exit %d, %+v\n%s", out.Code, report.Summary, out.Stderr)
			}
			var whys strings.Builder
			for _, gap := range report.Incomplete {
				whys.WriteString(gap.Why + "\n")
			}
			if !strings.Contains(whys.String(), c.want) {
				t.Errorf("no %s in\n%s", c.want, whys.String())
			}
		})
	}
}

// TestVerifyMayNotWrite: a requester without the right to write is stopped by authorization, whether that is
// simulated or not.
func TestVerifyMayNotWrite(t *testing.T) {
	apply(t, "testdata/cluster.yaml")
	guard(t, "testdata/validating.yaml")
	report, out := verified(t, server.Admin.Kubeconfig, "", "as-user", "powerless", "deploy/annotated", "-n", "team-a", "--set", "exclude=false")
	if len(report.Results) != 1 {
		t.Fatalf("exit %d\n%s", out.Code, out.Stderr)
	}
	switch r := report.Results[0]; r.Agreement {
	case verify.Agrees:
		if out.Code != 0 || r.Simulated.Status == nil || !strings.Contains(r.Simulated.Status.Message, `cannot patch resource "deployments"`) {
			t.Errorf("exit %d, %+v", out.Code, r)
		}
	case verify.NotAsked:
		if out.Code != 2 || !strings.Contains(r.Why, `verbs: ["patch"]`) {
			t.Errorf("exit %d: %s", out.Code, r.Why)
		}
	default:
		t.Errorf("%s: %s", r.Agreement, describeResult(r))
	}
}

// TestVerifyNothingProposed: the API server decides by what is in force.
func TestVerifyNothingProposed(t *testing.T) {
	for _, args := range [][]string{
		{"-A", "--policies", "testdata/validating.yaml"}, {"-A", "--from", "testdata"}, {"-A", "--only-proposed"},
		{"as-user", "dev", "deploy/annotated", "-n", "team-a", "--set", "a=b", "--policies", "testdata/mutating.yaml"},
	} {
		out := asAdmin(t, "", append([]string{"verify"}, args...)...)
		if out.Code != 2 || out.Stdout != "" || !strings.Contains(out.Stderr, "API server") || !strings.Contains(out.Stderr, "--help") {
			t.Errorf("%v: exit %d\n%s%s", args, out.Code, out.Stdout, out.Stderr)
		}
	}
}
