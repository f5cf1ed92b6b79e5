package report

import (
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// A rule without a finding passes where it could be judged, and nowhere else.
func TestRulesThatPass(t *testing.T) {
	whole := auditOf(nil)
	whole.Rules = []audit.Rule{{ID: "no-policy", Severity: audit.Critical, Title: "Nothing protects the annotations"}}
	unread := *whole
	unread.Incomplete = []inventory.Gap{{What: "validatingadmissionpolicies", Why: "forbidden"}}
	without := *whole
	without.Rules = []audit.Rule{{ID: "values-actions-list", Severity: audit.High, Title: "The chart writes several as one"}}
	with := without
	with.Values = "values.yaml"
	for name, test := range map[string]struct {
		report *audit.Report
		passes bool
		why    string
	}{
		"whole":      {whole, true, `There is no finding of the rule "Nothing protects the annotations".`},
		"incomplete": {&unread, false, "not judged: something could not be looked at"},
		"no values":  {&without, false, "not judged: no Helm values were given"},
		"values":     {&with, true, `There is no finding of the rule "The chart writes several as one".`},
	} {
		t.Run(name, func(t *testing.T) {
			junit := string(printed(t, Audit, "junit", test.report, onlyHigh))
			if strings.Contains(junit, "<skipped") == test.passes || !test.passes && !strings.Contains(junit, test.why) {
				t.Errorf("JUnit:\n%s", junit)
			}
			reports := string(printed(t, Audit, "openreports", test.report, onlyHigh))
			if strings.Contains(reports, "result: pass") != test.passes || strings.Contains(reports, "result: skip") == test.passes || !strings.Contains(reports, test.why) {
				t.Errorf("OpenReports:\n%s", reports)
			}
		})
	}
}

// The report of a part replaces none of another part, nor a further one of all.
func TestOpenReportsNameTheirScope(t *testing.T) {
	names := map[string]string{}
	for _, scope := range []audit.Scope{{}, {Namespace: "team-a"}, {Namespace: "2"}, {Namespace: "team-a-2"}, {Selector: "app=web"}, {Namespace: "team-a", Selector: "app=web"}} {
		for _, number := range []int{1, 2} {
			name := newOpenReport(scopeSuffix(scope), "", number).Metadata.Name
			if names[name] != "" {
				t.Errorf("%+v and %s are both called %s", scope, names[name], name)
			}
			names[name] = scope.Namespace + " " + scope.Selector
		}
	}
	report := auditOf(nil)
	report.Scope.Namespace = "team-a"
	if text := string(printed(t, Audit, "openreports", report, onlyHigh)); !strings.Contains(text, "name: downscaler-compliance.in.team-a\n") {
		t.Error(text)
	}
}

// What no finding is new beside comes behind the word that there is none.
func TestMarkdownTellsKnownLast(t *testing.T) {
	report := auditOf([]audit.Object{{Object: deployment("team-a", "api"), Guard: fullGuard}})
	report.Baseline = &audit.Baseline{Known: []audit.Finding{notDenying()}, NotJudged: []audit.KnownFinding{notDenying().Known()}}
	text := string(printed(t, Audit, "markdown", report, Options{}))
	if !strings.Contains(text, "No new findings.\n\n1 more is known by the baseline; 1 known finding was not judged (rules not applied, another scope, or incomplete).") {
		t.Error(text)
	}
}

// Files in the working directory are relative to it, however they are named.
func TestSARIFPaths(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	for file, want := range map[string]string{
		"a/b.yaml": "a/b.yaml", here + "/a/b.yaml": "a/b.yaml", here + "/a/../b c.yaml": "b%20c.yaml", here + "x/b.yaml": "file://" + here + "x/b.yaml", "../b.yaml": "../b.yaml",
	} {
		if got := fileURI(inventory.Position{File: file}); got != want {
			t.Errorf("%s: got %s, want %s", file, got, want)
		}
	}
	if text := string(printed(t, Audit, "sarif", everyFinding(), Options{Version: "v1.2.3"})); !strings.Contains(text, `"version": "v1.2.3"`) {
		t.Error(text)
	}
}
