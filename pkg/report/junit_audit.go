package report

import (
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

// auditJUnit is a test suite a rule, with a test case a finding, and one that passes for a rule that found nothing. A finding
// below FailOn passes, with what it says as output, and one that a baseline knows is skipped, as is a rule that was not applied or could not be judged.
func auditJUnit(report *audit.Report, options Options) ([]byte, error) {
	var order []string
	cases := map[string][]junitCase{}
	add := func(id string, c junitCase) {
		if !slices.Contains(order, id) {
			order = append(order, id)
		}
		c.ClassName = escape(id)
		cases[id] = append(cases[id], c)
	}
	for _, rule := range report.Rules {
		if !finds(report, rule.ID) {
			c := junitCase{Name: rule.Title}
			if why := report.Unjudged(rule); why != "" {
				c.Skipped = &junitMessage{Message: why}
			}
			add(rule.ID, c)
		}
		for _, f := range report.Findings {
			if f.ID == rule.ID {
				add(f.ID, findingCase(f, options))
			}
		}
	}
	for _, f := range report.Findings { // of a rule that the report does not name
		if !slices.ContainsFunc(report.Rules, func(r audit.Rule) bool { return r.ID == f.ID }) {
			add(f.ID, findingCase(f, options))
		}
	}
	if report.Baseline != nil {
		for _, f := range report.Baseline.Known {
			add(f.ID, junitCase{Name: subjectName(f.Subject), Skipped: &junitMessage{Message: "known by the baseline", Text: findingText(f)}})
		}
	}
	for _, id := range report.SkippedRules {
		add(id, junitCase{Name: escape(id), Skipped: &junitMessage{Message: "not applied"}})
	}
	var suites []junitSuite
	for _, id := range order {
		suites = append(suites, newJUnitSuite(id, cases[id]))
	}
	return printJUnit("downscaler-compliance audit", append(suites, incompleteSuite(report.Incomplete)...))
}

// finds says whether a rule has found something, known or not.
func finds(report *audit.Report, id string) bool {
	found := func(f audit.Finding) bool { return f.ID == id }
	return slices.ContainsFunc(report.Findings, found) || report.Baseline != nil && slices.ContainsFunc(report.Baseline.Known, found)
}

func findingCase(f audit.Finding, options Options) junitCase {
	c := junitCase{Name: subjectName(f.Subject)}
	if !fails(f, options) {
		c.Output = escape(string(f.Severity)) + ": " + findingText(f)
		return c
	}
	c.Failure = &junitMessage{Message: escape(f.Message), Type: escape(string(f.Severity)), Text: findingText(f)}
	return c
}

// fails says whether a finding is one of those that fail the run.
func fails(f audit.Finding, options Options) bool {
	return options.FailOn == "" || f.Severity.AtLeast(options.FailOn)
}

// findingText is all that a finding says, a line each.
func findingText(f audit.Finding) string {
	text := escape(f.Message)
	if f.Remedy != "" {
		text += "\nRemedy: " + escape(f.Remedy)
	}
	if f.Evidence != "" {
		text += "\nShown by: " + escape(f.Evidence)
	}
	return text
}
