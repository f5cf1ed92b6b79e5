package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
)

// TestExamples loads each example into an API server of its own and audits it there, from its manifests and from
// a snapshot: three ways to the same answer.
func TestExamples(t *testing.T) {
	for _, name := range []string{"validating", "mutating", "hardened"} {
		t.Run(name, func(t *testing.T) {
			c := load(t, "../../examples/"+name)
			live := audited(t, c.Admin.Kubeconfig, "-A")
			files := audited(t, os.DevNull, "--from", "../../examples/"+name)
			if diff := cmp.Diff(guards(files, nil), guards(live, guards(files, nil))); diff != "" {
				t.Errorf("manifests (-) and cluster (+) differ:\n%s", diff)
			}

			path := filepath.Join(t.TempDir(), "snapshot.yaml")
			first := snapshot(t, c, path)
			if second := snapshot(t, c, path); !bytes.Equal(first, second) {
				t.Errorf("two snapshots of the same cluster differ:\n%s", cmp.Diff(string(first), string(second)))
			}
			again := audited(t, os.DevNull, "--from", path)
			again.Server.Source = live.Server.Source
			again.Assumptions = slices.DeleteFunc(again.Assumptions, func(a inventory.Gap) bool { return a.What == "pods that no workload made" })
			for i := range again.Findings {
				again.Findings[i].Evidence = strings.TrimSuffix(again.Findings[i].Evidence, " --from "+path)
			}
			if diff := cmp.Diff(live, again); diff != "" {
				t.Errorf("cluster (-) and snapshot (+) differ:\n%s", diff)
			}
		})
	}
}

func load(t *testing.T, folder string) *cluster.Cluster {
	t.Helper()
	c, err := cluster.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	files, err := filepath.Glob(folder + "/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no manifests in %s: %v", folder, err)
	}
	var all bytes.Buffer
	for _, f := range files {
		content, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString("\n---\n")
		all.Write(content)
	}
	if err := c.Apply(context.Background(), all.Bytes()); err != nil {
		t.Fatal(err)
	}
	return c
}

func audited(t *testing.T, kubeconfig string, args ...string) audit.Report {
	t.Helper()
	out := kubectl(t, kubeconfig, "", append([]string{"downscaler-compliance", "audit", "-o", "json"}, args...)...)
	var report audit.Report
	if err := json.Unmarshal([]byte(out.Stdout), &report); err != nil {
		t.Fatalf("exit %d: %v\n%s", out.Code, err, out.Stderr)
	}
	if len(report.Incomplete) > 0 {
		t.Errorf("%v: incomplete %v", args, report.Incomplete)
	}
	return report
}

// guards returns the guard of every object by name, restricted to those in only where it is given.
func guards(report audit.Report, only map[string]audit.Guard) map[string]audit.Guard {
	found := map[string]audit.Guard{}
	for _, o := range report.Objects {
		id := o.Object.Namespace + " " + o.Object.Kind + "/" + o.Object.Name
		if _, asked := only[id]; only == nil || asked {
			found[id] = o.Guard
		}
	}
	return found
}

func snapshot(t *testing.T, c *cluster.Cluster, path string) []byte {
	t.Helper()
	out := kubectl(t, c.Admin.Kubeconfig, "", "downscaler-compliance", "snapshot", "--to", path)
	if out.Code != 0 {
		t.Fatalf("exit %d: %s", out.Code, out.Stderr)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
