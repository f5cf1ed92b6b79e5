package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/verify"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/plugin"
)

// verified runs verify and returns its report and how it ended.
func verified(t *testing.T, kubeconfig, stdin string, args ...string) (verify.Report, plugin.Output) {
	t.Helper()
	out := kubectl(t, kubeconfig, stdin, append([]string{"downscaler-compliance", "verify", "-o", "json"}, args...)...)
	var report verify.Report
	if err := json.Unmarshal([]byte(out.Stdout), &report); err != nil {
		t.Fatalf("exit %d: %v\n%s%s", out.Code, err, out.Stdout, out.Stderr)
	}
	return report, out
}

// mustAgree fails for every result that does not agree.
func mustAgree(t *testing.T, report verify.Report, out plugin.Output) {
	t.Helper()
	if out.Code != 0 || report.Summary.Agrees != report.Summary.Requests || report.Summary.Requests == 0 {
		t.Errorf("exit %d, %+v, incomplete %v\n%s", out.Code, report.Summary, report.Incomplete, out.Stderr)
	}
	for _, r := range report.Results {
		if r.Agreement != verify.Agrees {
			t.Errorf("%s %s/%s %s %s: %s", r.Operation, r.Object.Kind, r.Object.Name, r.Subresource, r.Agreement, describeResult(r))
		}
	}
}

func describeResult(r verify.Result) string {
	var b strings.Builder
	b.WriteString(r.Why)
	for _, d := range r.Differences {
		fmt.Fprintf(&b, "\n  %s: simulated %s, server %s", d.What, orNothing(d.Simulated), orNothing(d.Server))
	}
	return b.String()
}

func orNothing(value *string) string {
	if value == nil {
		return "nothing"
	}
	return *value
}

// arguments are the case's for simulate and verify, and what comes on standard input.
func (c fiveCase) arguments(s subject) (args []string, stdin string) {
	args = []string{s.argument}
	if c.create {
		args, stdin = []string{"-f", "-", "--via", "create"}, s.manifest
	}
	if s.namespace != "" {
		args = append(args, "-n", s.namespace)
	}
	for k, v := range c.set {
		if v == nil {
			args = append(args, "--remove", k)
		} else {
			args = append(args, "--set", k+"="+v.(string))
		}
	}
	return args, stdin
}

const serviceAccountRights = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: verify-accounts}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects:
- {kind: ServiceAccount, namespace: team-a, name: deployer}
- {apiGroup: rbac.authorization.k8s.io, kind: User, name: me}
`

// TestVerifyFiveCases: the API server agrees, whoever asks.
func TestVerifyFiveCases(t *testing.T) {
	apply(t, "testdata/cluster.yaml")
	if err := server.Apply(t.Context(), []byte(serviceAccountRights)); err != nil {
		t.Fatal(err)
	}
	me, err := server.AddUser("me")
	if err != nil {
		t.Fatal(err)
	}
	for _, variant := range []string{"validating", "mutating"} {
		t.Run(variant, func(t *testing.T) {
			guard(t, "testdata/"+variant+".yaml")
			for _, kind := range slices.Sorted(maps.Keys(subjects)) {
				for _, c := range fiveCases {
					t.Run(kind+"/"+c.name, func(t *testing.T) {
						args, stdin := c.arguments(subjects[kind])
						for _, who := range [][]string{{"as-user", c.user}, {"as-serviceaccount", "team-a:deployer"}, {"as-me"}} {
							report, out := verified(t, me.Kubeconfig, stdin, slices.Concat(who, args)...)
							mustAgree(t, report, out)
						}
					})
				}
			}
		})
	}
}
