package report

import (
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

// compared is an audit with a baseline, and with findings that are not shown.
func compared() *audit.Report {
	report := everyFinding()
	report.Baseline.NotJudged = []audit.KnownFinding{uncovered("Rollout").Known()}
	report.Summary.Hidden = 1
	return report
}

func TestBaseline(t *testing.T) {
	golden(t, "audit-table-baseline.txt", printed(t, Audit, "table", compared(), Options{}))
	golden(t, "audit-table-baseline-all.txt", printed(t, Audit, "table", compared(), Options{ShowAll: true}))
	golden(t, "audit-baseline.json", printed(t, Audit, "json", compared(), Options{}))
	known := compared()
	known.Findings, known.Summary.Hidden = nil, 0
	if text := string(printed(t, Audit, "table", known, Options{})); !strings.Contains(text, "\nNo new findings.\n1 more is known by the baseline") {
		t.Error(text)
	}
}

func TestHostileBaseline(t *testing.T) {
	report := hostileAudit()
	report.SkippedRules = []string{hostile}
	report.Baseline = &audit.Baseline{Known: report.Findings, Gone: []audit.KnownFinding{report.Findings[0].Known()}, NotJudged: []audit.KnownFinding{report.Findings[0].Known()}}
	for _, format := range []string{"table", "wide", "json", "yaml", "sarif", "junit", "markdown", "openreports"} {
		assertHarmless(t, printed(t, Audit, format, report, Options{ShowAll: true}))
	}
	assertJUnit(t, printed(t, Audit, "junit", report, Options{}))
}
