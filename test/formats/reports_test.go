package formats

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/report"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// hostile has what a format may stumble over: markup, its ends, control characters, separators of lines, characters beyond 16 bits.
const hostile = "a\x1b[2J\x00\r\n\t\x7f\u0085\u2028\u202e\ufeff\U000e0041\ufffe <>&|\"'`]]></failure>--># : {x} - \\u0041 %zz #frag ?q"

// manyFindings is as many as a large cluster may have.
const manyFindings = 10_000

func finding(number int, text string) audit.Finding {
	return audit.Finding{
		ID: "invalid-annotation-value", Severity: audit.Severities()[number%len(audit.Severities())], Message: "Message " + text, Evidence: "kubectl downscaler-compliance audit " + text, Remedy: "Remedy " + text,
		Subject: audit.Subject{Kind: "Deployment", Namespace: fmt.Sprintf("team-%d", number%3), Name: fmt.Sprintf("web-%d", number), Field: `metadata.annotations["downscaler/uptime"]`},
	}
}

// audits are reports of every sort.
func audits() map[string]*audit.Report {
	whole := &audit.Report{Rules: audit.Rules(), Summary: audit.Summary{Findings: map[audit.Severity]int{}}}
	full := *whole
	for i := range 2 * len(audit.Severities()) {
		full.Findings = append(full.Findings, finding(i, "text"))
	}
	full.Findings = append(full.Findings, audit.Finding{ID: "no-policy", Severity: audit.Critical, Subject: audit.Subject{Kind: "ValidatingAdmissionPolicy"}, Message: "Nothing."},
		audit.Finding{ID: "values-actions-list", Severity: audit.High, Subject: audit.Subject{Kind: audit.ValuesKind, Name: "chart/my values.yaml", Field: "annotationsCompliance.validationActions"}, Message: "Two."})
	full.Positions = map[audit.Subject]inventory.Position{
		full.Findings[0].Subject: {File: "manifests/my guard.yaml", Line: 41}, full.Findings[1].Subject: {File: "/srv/a#b?c%d.yaml"},
		full.Findings[2].Subject: {File: "-", Line: 3}, full.Findings[3].Subject: {File: "../up/" + hostile + ".yaml", Line: 1},
	}
	full.SkippedRules = []string{"removal-not-prevented"}
	full.Incomplete = []inventory.Gap{{What: "rollouts.argoproj.io", Why: "forbidden"}}
	full.Assumptions = []inventory.Gap{{What: "webhook", Why: "what it answers is not known"}}
	full.Baseline = &audit.Baseline{Known: []audit.Finding{finding(90, "known")}, Gone: []audit.KnownFinding{finding(91, "gone").Known()}}

	bad := *whole
	bad.Rules = append(bad.Rules, audit.Rule{ID: hostile, Severity: audit.Severity(hostile), Title: hostile})
	f := audit.Finding{ID: hostile, Severity: audit.Severity(hostile), Message: hostile, Evidence: hostile, Remedy: hostile, Subject: audit.Subject{Kind: hostile, Name: hostile, Field: hostile}}
	bad.Findings = []audit.Finding{f, finding(0, hostile)}
	bad.SkippedRules, bad.Incomplete, bad.Assumptions = []string{hostile}, []inventory.Gap{{What: hostile, Why: hostile}}, []inventory.Gap{{What: hostile, Why: hostile}}
	bad.Baseline = &audit.Baseline{Known: bad.Findings}
	bad.Positions = map[audit.Subject]inventory.Position{f.Subject: {File: hostile, Line: 7}}

	many := *whole
	for i := range manyFindings {
		many.Findings = append(many.Findings, finding(i, strings.Repeat("words ", 40)))
	}
	incomplete := &audit.Report{Incomplete: []inventory.Gap{{What: "deployments.apps", Why: "forbidden"}, {What: "deployments.apps", Why: "forbidden"}}}
	return map[string]*audit.Report{"nothing": {}, "whole": whole, "full": &full, "hostile": &bad, "many": &many, "incomplete": incomplete}
}

// simulations are reports of every sort.
func simulations() map[string]*simulate.Report {
	one := func(outcome simulate.Outcome, text string) simulate.Result {
		return simulate.Result{Object: simulate.ObjectRef{APIVersion: "apps/v1", Kind: "Deployment", Namespace: text, Name: text}, Operation: "UPDATE", Subresource: text, Outcome: outcome, Warnings: []string{text}}
	}
	return map[string]*simulate.Report{
		"nothing": {}, "incomplete": {Incomplete: []inventory.Gap{{What: "deployments.apps", Why: "forbidden"}}},
		"outcomes": {Results: []simulate.Result{one(simulate.Allowed, "a"), one(simulate.Altered, "a"), one(simulate.Blocked, "b"), one(simulate.Unknown, "")}},
		"hostile":  {Results: []simulate.Result{one(simulate.Blocked, hostile), one(simulate.Outcome(hostile), hostile)}, Incomplete: []inventory.Gap{{What: hostile, Why: hostile}}},
	}
}

// printed is a report as the command prints it.
func printed[R any](t *testing.T, formats report.Formats[R], format string, of R) []byte {
	t.Helper()
	outputs, err := formats.ParseOutputs([]string{format})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := outputs.Write(&out, of, report.Options{FailOn: audit.High}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// golden is a golden file of the plugin's own tests.
func golden(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "pkg", "report", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// ofModule reads a file of a module that go.mod requires.
func ofModule(t *testing.T, module, name string) []byte {
	t.Helper()
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatalf("finding the module %s: %v", module, err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(folder)), filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return text
}
