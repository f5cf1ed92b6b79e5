package audit

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// A rule that is not chosen is not applied, and the report says so.
func TestRulesChosen(t *testing.T) {
	manifests := []any{teamA, deployment("team-a", "web", `downscaler/exclude: "true"`), nightly, guard{name: "g", resources: []string{"apps/deployments"}}}
	all := auditOf(t, manifests...)
	const chosen = "kind-not-covered"
	if len(found(all, chosen)) == 0 || len(found(all, chosen)) == len(all.Findings) || all.SkippedRules != nil {
		t.Fatalf("%v, skipped %v", all.Findings, all.SkippedRules)
	}
	some := auditWith(t, Options{Rules: []string{chosen}}, manifests...)
	if !slices.Equal(some.Findings, found(all, chosen)) {
		t.Errorf("%v", some.Findings)
	}
	if len(some.SkippedRules) != len(rules)-1 || slices.Contains(some.SkippedRules, chosen) || len(some.Rules) != 1 || some.Rules[0].ID != chosen {
		t.Errorf("skipped %v, applied %v", some.SkippedRules, some.Rules)
	}
	_, err := Run(context.Background(), simulatorOf(t, load(t, manifests...)), Options{Rules: []string{"kind-not-coverd"}})
	if err == nil || err.Error() != `there is no rule "kind-not-coverd"; did you mean kind-not-covered?` {
		t.Error(err)
	}
	for id, want := range map[string]string{
		"xyz":                         "audit --explain-rule list lists them",
		"unanchored":                  "did you mean unanchored-pattern?",
		"Binding-":                    "did you mean binding-without-policy or binding-does-not-deny?",
		"no-policy parameter-missing": "several ids are separated by commas",
	} {
		if _, err := RuleNamed(id); err == nil || !strings.Contains(err.Error(), want) {
			t.Error(id, err)
		}
	}
}

// Only the rules that are applied are run.
func TestRuleNotRun(t *testing.T) {
	ran := map[string]bool{}
	mark := func(id string) rule {
		return rule{Rule: Rule{ID: id}, find: func(context.Context, *view) ([]Finding, error) { ran[id] = true; return nil, nil }}
	}
	a := newAuditor(simulatorOf(t, load(t, teamA)), Options{Requester: OrdinaryUser()})
	a.rules = []rule{mark("one"), mark("two")}[:1]
	if _, err := a.findings(context.Background()); err != nil || !ran["one"] || ran["two"] {
		t.Error(ran, err)
	}
}

func TestHide(t *testing.T) {
	report := Report{Summary: Summary{Findings: map[Severity]int{}}}
	for _, severity := range []Severity{Critical, High, Medium, Medium, Info} {
		report.Findings = append(report.Findings, Finding{Severity: severity})
		report.Summary.Findings[severity]++
	}
	report.Hide(High)
	if len(report.Findings) != 2 || report.Summary.Hidden != 3 || report.Summary.Findings[Medium] != 0 || report.Summary.Findings[High] != 1 {
		t.Errorf("%+v", report)
	}
	report.Hide(Info)
	if len(report.Findings) != 2 || report.Summary.Hidden != 3 {
		t.Errorf("%+v", report)
	}
	if Severity("other").AtLeast(Info) || !High.AtLeast(High) || High.AtLeast(Critical) {
		t.Error("severities are ranked otherwise")
	}
}
