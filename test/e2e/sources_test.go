package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/plugin"
)

// source is a way to read the cluster, and so to find out what requesters may do.
type source struct {
	kubeconfig string
	args       []string
}

// sources are those by which the answer is known: by access reviews, by listing roles and bindings, and from a snapshot.
func sources(t *testing.T) map[string]source {
	t.Helper()
	path := filepath.Join(t.TempDir(), "snapshot.yaml")
	snapshot(t, server, path)
	return map[string]source{
		"access reviews": {kubeconfig: server.Admin.Kubeconfig},
		"lists":          {kubeconfig: addUser(t, "lister").Kubeconfig},
		"snapshot":       {kubeconfig: os.DevNull, args: []string{"--from", path}},
	}
}

func addUser(t *testing.T, name string) cluster.User {
	t.Helper()
	user, err := server.AddUser(name)
	if err != nil {
		t.Fatal(err)
	}
	return user
}

// simulate runs a simulation of one object and returns the whole report.
func (s source) simulate(t *testing.T, stdin string, args ...string) (simulate.Report, plugin.Output) {
	t.Helper()
	args = append([]string{"downscaler-compliance", "simulate"}, args...)
	out := kubectl(t, s.kubeconfig, stdin, append(append(args, s.args...), "-o", "json")...)
	var report simulate.Report
	if err := json.Unmarshal([]byte(out.Stdout), &report); err != nil {
		t.Fatalf("exit %d: %v\n%s%s", out.Code, err, out.Stdout, out.Stderr)
	}
	if len(report.Results) != 1 {
		t.Fatalf("exit %d: %d results\n%s", out.Code, len(report.Results), out.Stderr)
	}
	return report, out
}
