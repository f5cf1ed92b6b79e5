package e2e

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/verify"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/plugin"
)

// ordinaryRights let the ordinary user write, which nobody is on a cluster: what is tried is the guard.
const ordinaryRights = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: verify-writer}
rules:
- {apiGroups: ["*"], resources: ["*"], verbs: [create, update, patch, delete]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: verify-writer}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: verify-writer}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: "ORDINARY"}]
`

// TestVerifyExamples: on a cluster with each example in it the API server guards every object as simulated, through
// each way in which its objects can be written.
func TestVerifyExamples(t *testing.T) {
	for _, name := range []string{"validating", "mutating", "hardened"} {
		t.Run(name, func(t *testing.T) {
			c := load(t, "../../examples/"+name)
			rights := strings.ReplaceAll(ordinaryRights, "ORDINARY", audit.OrdinaryUser().Username)
			if err := c.Apply(t.Context(), []byte(rights)); err != nil {
				t.Fatal(err)
			}
			if err := c.WaitForPolicies(t.Context()); err != nil {
				t.Fatal(err)
			}
			report, out := verifiedOnceServed(t, c, "-A")
			mustAgree(t, report, out)
			prevented := 0
			for _, r := range report.Results {
				if r.Simulated.Outcome != simulate.Allowed {
					prevented++
				}
			}
			if report.Summary.Requests < 20 || prevented == 0 {
				t.Errorf("%d requests, %d prevented: this can't be all", report.Summary.Requests, prevented)
			}
			for _, args := range otherWays {
				args = append([]string{"as-user", audit.OrdinaryUser().Username, "-A"}, args...)
				report, out := verified(t, c.Admin.Kubeconfig, "", args...)
				t.Log(args, report.Summary)
				mustAgree(t, report, out)
			}
		})
	}
}

// otherWays are the changes of every object that no guard probe is.
var otherWays = [][]string{
	{"--all", "--operation", "delete"},
	{"--all", "--subresource", "status", "--set", "exclude=true"},
	{"--all", "--subresource", "status", "--remove", "exclude"},
	{"--all", "--subresource", "finalize", "--set", "exclude=true"},
	{"deployments,statefulsets,replicasets", "--all", "--subresource", "scale", "--set", "exclude=true"},
	{"--all", "--set", "example.com/other=1"},
}

// verifiedOnceServed verifies again while the API server does not know a custom resource's schema yet, which it looks
// for every five seconds.
func verifiedOnceServed(t *testing.T, c *cluster.Cluster, args ...string) (verify.Report, plugin.Output) {
	t.Helper()
	for range 10 {
		report, out := verified(t, c.Admin.Kubeconfig, "", args...)
		early := func(gap inventory.Gap) bool { return strings.Contains(gap.Why, "There can be a delay") }
		if !slices.ContainsFunc(report.Incomplete, early) {
			return report, out
		}
		time.Sleep(2 * time.Second)
	}
	t.Fatal("the API server never came to know its custom resources")
	return verify.Report{}, plugin.Output{}
}

// TestVerifyRequestFiles sends the example's files in each way.
func TestVerifyRequestFiles(t *testing.T) {
	c := load(t, "../../examples/validating")
	rights := strings.ReplaceAll(ordinaryRights, "ORDINARY", "kim")
	if err := c.Apply(t.Context(), []byte(rights)); err != nil {
		t.Fatal(err)
	}
	if err := c.WaitForPolicies(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, via := range []string{"apply", "server-side-apply", "replace", "create"} {
		for _, operation := range []string{"", "create", "delete"} {
			if operation == "delete" && via != "apply" {
				continue
			}
			args := []string{"as-user", "kim", "-f", "../../examples/requests", "--via", via}
			if operation != "" {
				args = append(args, "--operation", operation)
			}
			report, out := verified(t, c.Admin.Kubeconfig, "", args...)
			t.Log(args, report.Summary)
			for _, r := range report.Results {
				if r.Agreement != verify.Agrees {
					content, _ := json.Marshal(r.Server)
					t.Errorf("%v: %s/%s %s: %s\n%s", args, r.Object.Kind, r.Object.Name, r.Agreement, describeResult(r), content)
				}
			}
			if report.Summary.Requests == 0 {
				t.Errorf("exit %d: %s", out.Code, out.Stderr)
			}
		}
	}
}
