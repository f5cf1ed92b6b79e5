package e2e

import (
	"encoding/json"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/plugin"
)

// kubectl runs the real kubectl with the plugin on its PATH.
func kubectl(t *testing.T, kubeconfig, stdin string, args ...string) plugin.Output {
	t.Helper()
	out, err := built.Kubectl(t.Context(), kubeconfig, stdin, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// asAdmin runs `kubectl downscaler-compliance` as the administrator.
func asAdmin(t *testing.T, stdin string, args ...string) plugin.Output {
	t.Helper()
	return kubectl(t, server.Admin.Kubeconfig, stdin, append([]string{"downscaler-compliance"}, args...)...)
}

// simulated runs a simulation of one object and returns its result.
func simulated(t *testing.T, stdin string, args ...string) simulate.Result {
	t.Helper()
	out := asAdmin(t, stdin, append([]string{"simulate"}, append(args, "-o", "json")...)...)
	var report simulate.Report
	if err := json.Unmarshal([]byte(out.Stdout), &report); err != nil {
		t.Fatalf("exit %d: %v\n%s%s", out.Code, err, out.Stdout, out.Stderr)
	}
	if len(report.Results) != 1 || len(report.Incomplete) > 0 {
		t.Fatalf("%d results, incomplete %v", len(report.Results), report.Incomplete)
	}
	want := map[simulate.Outcome]int{simulate.Allowed: 0, simulate.Altered: 1, simulate.Blocked: 1}
	result := report.Results[0]
	if out.Code != want[result.Outcome] {
		t.Errorf("exit %d for an outcome %s", out.Code, result.Outcome)
	}
	return result
}
