package report

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/docs/rules"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// everyFinding has findings of every sort: some in files, one in a namespace, one that a baseline knows, and notes.
func everyFinding() *audit.Report {
	invalid := audit.Finding{
		ID: "invalid-annotation-value", Severity: audit.Medium, Message: `"Fry" is not a weekday.`, Remedy: "Write Fri.",
		Subject: audit.Subject{Kind: "Deployment", Namespace: "team-a", Name: "web", Field: `metadata.annotations["downscaler/uptime"]`},
	}
	report := everyGuard()
	report = auditOf(report.Objects, append(report.Findings, invalid)...)
	report.Rules = []audit.Rule{
		{ID: "no-policy", Severity: audit.Critical, Title: "Nothing that is enforced protects the annotations"},
		{ID: "binding-does-not-deny", Severity: audit.High, Title: "A binding of the guard warns or audits and lets the change through"},
		{ID: "kind-not-covered", Severity: audit.High, Title: "No rule of the guard lists a kind that the downscaler scales"},
		{ID: "own-rule", Severity: audit.Low, Title: "A rule without a page"},
	}
	report.SkippedRules = []string{"removal-not-prevented"}
	report.Positions = map[audit.Subject]inventory.Position{
		notDenying().Subject: {File: "manifests/my guard.yaml", Document: 2, Line: 41},
		invalid.Subject:      {File: "/srv/team-a.yaml"},
	}
	report.Incomplete = []inventory.Gap{{What: "rollouts.argoproj.io", Why: "forbidden"}}
	report.Assumptions = []inventory.Gap{{What: "webhook cert-manager", Why: "what it answers is not known"}}
	known := uncovered("Stack")
	report.Baseline = &audit.Baseline{Known: []audit.Finding{known}, Gone: []audit.KnownFinding{uncovered("Gateway").Known()}}
	return report
}

// onlyHigh shows what fails a run by default.
var onlyHigh = Options{FailOn: audit.High}

// page is the text of a rule's page in SARIF.
var page = regexp.MustCompile(`"(text|markdown)": "# [^\n]*"`)

func TestFormatsOfAudits(t *testing.T) {
	sarif := printed(t, Audit, "sarif", everyFinding(), onlyHigh)
	golden(t, "audit.sarif", page.ReplaceAll(sarif, []byte(`"$1": "(the page)"`)))
	for format, name := range map[string]string{"junit": "audit-junit.xml", "markdown": "audit.md", "openreports": "audit-openreports.yaml"} {
		golden(t, name, printed(t, Audit, format, everyFinding(), onlyHigh))
	}
}

func TestFormatsOfSimulations(t *testing.T) {
	for format, name := range map[string]string{"junit": "simulation-junit.xml", "markdown": "simulation.md"} {
		golden(t, name, printed(t, Simulation, format, everyOutcome(), Options{}))
	}
}

// someAudits are reports of every sort.
func someAudits() map[string]*audit.Report {
	return map[string]*audit.Report{
		"every": everyFinding(), "hostile": hostileAudit(), "nothing": {}, "unread": unreadAudit(), "whole": auditOf(nil), "many": manyGuards(2000),
	}
}

func TestJUnitIsValid(t *testing.T) {
	for name, report := range someAudits() {
		t.Run(name, func(t *testing.T) { assertJUnit(t, printed(t, Audit, "junit", report, onlyHigh)) })
	}
	for name, report := range map[string]*simulate.Report{
		"outcomes": everyOutcome(), "refused": refused(), "hostile simulation": hostileSimulation(), "no result": {}, "unread policies": policiesUnread(),
	} {
		t.Run(name, func(t *testing.T) { assertJUnit(t, printed(t, Simulation, "junit", report, Options{})) })
	}
}

// A rule's help is its page, with links that lead somewhere, and its title where it has none.
func TestSARIFHelp(t *testing.T) {
	var log sarifLog
	if err := json.Unmarshal(printed(t, Audit, "sarif", everyFinding(), onlyHigh), &log); err != nil {
		t.Fatal(err)
	}
	for _, rule := range log.Runs[0].Tool.Driver.Rules {
		text, err := rules.Page(rule.ID)
		if err != nil {
			if rule.Help != (sarifHelp{Text: rule.ShortDescription.Text}) || rule.HelpURI != "" {
				t.Errorf("%s has no page: %+v", rule.ID, rule)
			}
			continue
		}
		if rule.Help.Markdown != rules.Linked(text) || rule.Help.Text != rules.Linked(text) || rule.HelpURI != rules.URL(rule.ID) {
			t.Errorf("%s: %+v", rule.ID, rule.Help)
		}
	}
}

// What is not looked at is never taken for a success.
func TestFormatsTellIncomplete(t *testing.T) {
	for format, want := range map[string]string{
		"sarif": `"executionSuccessful": false`, "junit": `<testcase name="deployments.apps" classname="incomplete">`,
		"markdown": "**Incomplete**, not looked at:\n\n- deployments.apps: forbidden", "openreports": "result: error",
	} {
		if text := string(printed(t, Audit, format, unreadAudit(), onlyHigh)); !strings.Contains(text, want) {
			t.Errorf("%s does not say %s:\n%s", format, want, text)
		}
	}
}
