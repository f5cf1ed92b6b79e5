package e2e

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/verify"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
)

// reads are the commands that the page about rights is for.
var reads = [][]string{
	{"audit", "-A"},
	{"audit", "-A", "--as-user", "dev"},
	{"audit", "-n", "team-a"},
	{"who-can", "set", "exclude", "-A"},
	{"simulate", "as-user", "dev", "deploy/web", "-n", "team-a", "--set", "exclude=true"},
	{"simulate", "as-me", "deploy/web", "-n", "team-a", "--set", "exclude=true"},
	{"policies", "list"},
}

// TestRightsOfThePage: with the role of docs/rights.md everything is looked at, and without one of its rules something is not.
func TestRightsOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/rights.md")
	if err != nil {
		t.Fatal(err)
	}
	_, role, _ := strings.Cut(string(page), "```yaml\n")
	role, _, _ = strings.Cut(role, "```")
	c := load(t, "../../examples/validating")
	if err := c.Apply(t.Context(), []byte(role)); err != nil {
		t.Fatal(err)
	}
	reader := readerOf(t, c, "reader-of-the-page")
	grant(t, c, "kubectl create clusterrolebinding downscaler-compliance-reader --clusterrole=downscaler-compliance-reader --user=reader-of-the-page")
	for _, args := range reads {
		if gaps := gapsOf(t, reader, args); len(gaps) > 0 {
			t.Errorf("%v: %v", args, gaps)
		}
	}
}

// TestHintOfRights: the commands that the first run of somebody without rights prints are all that it takes for the second.
func TestHintOfRights(t *testing.T) {
	c := load(t, "../../examples/validating")
	for _, args := range reads[:1] {
		reader := readerOf(t, c, "reader-by-hint")
		if len(gapsOf(t, reader, args)) == 0 {
			t.Fatalf("%v: everything is read without a right", args)
		}
		out := kubectl(t, reader.Kubeconfig, "", append([]string{"downscaler-compliance"}, args...)...)
		commands := 0
		for line := range strings.Lines(out.Stderr) {
			if strings.HasPrefix(line, "kubectl create ") {
				grant(t, c, strings.TrimSpace(line))
				commands++
			}
		}
		if commands == 0 {
			t.Fatalf("no command is shown:\n%s", out.Stderr)
		}
		for _, args := range reads {
			if gaps := gapsOf(t, reader, args); len(gaps) > 0 {
				t.Errorf("%v: %v", args, gaps)
			}
		}
	}
}

// TestAnswerWithoutPolicies: who may not read the policies is told what the API server says, and only then what can't be compared.
func TestAnswerWithoutPolicies(t *testing.T) {
	c := load(t, "../../examples/validating")
	if err := c.WaitForPolicies(t.Context()); err != nil {
		t.Fatal(err)
	}
	dev := readerOf(t, c, "dev")
	change := []string{"downscaler-compliance", "verify", "as-me", "deploy/web", "-n", "team-a", "--set", "exclude=false"}
	out := kubectl(t, dev.Kubeconfig, "", append(change, "-o", "json")...)
	var report verify.Report
	if err := json.Unmarshal([]byte(out.Stdout), &report); err != nil {
		t.Fatalf("%v\n%s", err, out.Stderr)
	}
	if len(report.Results) != 1 || report.Results[0].Agreement != verify.NotCompared || report.Results[0].Server.Outcome != simulate.Blocked || !strings.HasPrefix(report.Results[0].Why, "the server says ") {
		t.Errorf("exit %d: %+v", out.Code, report.Results)
	}
	out = kubectl(t, dev.Kubeconfig, "", change...)
	if out.Code != 2 || !strings.Contains(out.Stdout, "the server says ") || !strings.Contains(out.Stderr, "answers are in the report and hold") {
		t.Errorf("exit %d\n%s%s", out.Code, out.Stdout, out.Stderr)
	}
}

func readerOf(t *testing.T, c *cluster.Cluster, name string) cluster.User {
	t.Helper()
	user, err := c.AddUser(name)
	if err != nil {
		t.Fatal(err)
	}
	return user
}

// grant runs a command as it was printed.
func grant(t *testing.T, c *cluster.Cluster, command string) {
	t.Helper()
	args := strings.Fields(command)[1:]
	if out := kubectl(t, c.Admin.Kubeconfig, "", args...); out.Code != 0 {
		t.Fatalf("%s: exit %d\n%s", command, out.Code, out.Stderr)
	}
}

// gapsOf are what a command could not look at.
func gapsOf(t *testing.T, reader cluster.User, args []string) []inventory.Gap {
	t.Helper()
	out := kubectl(t, reader.Kubeconfig, "", append(append([]string{"downscaler-compliance"}, args...), "-o", "json")...)
	var report struct {
		Incomplete []inventory.Gap `json:"incomplete"`
	}
	if err := json.Unmarshal([]byte(out.Stdout), &report); err != nil {
		t.Fatalf("exit %d: %v\n%s", out.Code, err, out.Stderr)
	}
	if (out.Code == 2) != (len(report.Incomplete) > 0) {
		t.Errorf("%v: exit %d, incomplete %v", args, out.Code, report.Incomplete)
	}
	return report.Incomplete
}
