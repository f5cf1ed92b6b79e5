package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// output is what one run of the plugin printed, and its exit code.
type output struct {
	stdout, stderr string
	code           int
}

// kubectl runs the real kubectl with the plugin on its PATH.
func kubectl(t *testing.T, kubeconfig, stdin string, args ...string) output {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), server.Kubectl, args...)
	cmd.Env = append(os.Environ(), "PATH="+pluginDir+string(os.PathListSeparator)+os.Getenv("PATH"), "KUBECONFIG="+kubeconfig)
	cmd.Stdin = strings.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return output{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// plugin runs `kubectl downscaler-compliance` as the administrator.
func plugin(t *testing.T, stdin string, args ...string) output {
	t.Helper()
	return kubectl(t, server.Admin.Kubeconfig, stdin, append([]string{"downscaler-compliance"}, args...)...)
}

// simulated runs a simulation of one object and returns its result.
func simulated(t *testing.T, stdin string, args ...string) simulate.Result {
	t.Helper()
	out := plugin(t, stdin, append([]string{"simulate"}, append(args, "-o", "json")...)...)
	var report simulate.Report
	if err := json.Unmarshal([]byte(out.stdout), &report); err != nil {
		t.Fatalf("exit %d: %v\n%s%s", out.code, err, out.stdout, out.stderr)
	}
	if len(report.Results) != 1 || len(report.Incomplete) > 0 {
		t.Fatalf("%d results, incomplete %v", len(report.Results), report.Incomplete)
	}
	want := map[simulate.Outcome]int{simulate.Allowed: 0, simulate.Altered: 1, simulate.Blocked: 1}
	result := report.Results[0]
	if out.code != want[result.Outcome] {
		t.Errorf("exit %d for an outcome %s", out.code, result.Outcome)
	}
	return result
}
