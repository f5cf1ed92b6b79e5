package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/docs/rules"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// auditMarkdown is a comment for a pull request: what it comes to, a table of the findings' numbers, and the findings, folded by severity.
func auditMarkdown(report *audit.Report, options Options) ([]byte, error) {
	var b strings.Builder
	b.WriteString("### Audit of the downscaler's annotations\n\n")
	whole := Options{ShowAll: true} // no word on what a table would leave out
	b.WriteString(markdown(triedWords(report, whole)) + "\n\n")
	if len(report.Findings) == 0 {
		b.WriteString(markdown(foundWords(report)) + "\n\n")
	} else {
		b.WriteString(markdownTable([]string{"severity", "findings", "rules"}, severityRows(report)) + "\n")
	}
	if left := leftOutWords(report, whole); left != "" {
		b.WriteString(markdown(left) + "\n\n")
	}
	for _, severity := range severitiesOf(report) {
		b.WriteString(severityMarkdown(report, severity, options))
	}
	if report.Baseline != nil {
		b.WriteString(knownMarkdown("Findings of the baseline that are gone", report.Baseline.Gone))
		b.WriteString(knownMarkdown("Findings of the baseline that could not be judged", report.Baseline.NotJudged))
	}
	b.WriteString(gapsMarkdown(report.Incomplete, report.Assumptions, options))
	return []byte(strings.TrimRight(b.String(), "\n") + "\n"), nil
}

func severityRows(report *audit.Report) [][]string {
	var rows [][]string
	for _, severity := range severitiesOf(report) {
		var ids []string
		for _, f := range report.Findings {
			if f.Severity == severity {
				ids = append(ids, ruleLink(report, f.ID))
			}
		}
		number := fmt.Sprint(len(ids))
		slices.Sort(ids)
		rows = append(rows, []string{markdown(string(severity)), number, strings.Join(slices.Compact(ids), ", ")})
	}
	return rows
}

// severitiesOf are the severities of a report's findings, gravest first.
func severitiesOf(report *audit.Report) []audit.Severity {
	var list []audit.Severity
	for _, f := range report.Findings {
		if !slices.Contains(list, f.Severity) {
			list = append(list, f.Severity)
		}
	}
	slices.SortStableFunc(list, func(a, b audit.Severity) int { return cmp.Compare(severityRank(a), severityRank(b)) })
	return list
}

// ruleLink leads to the page about a rule, if it is one of ours.
func ruleLink(report *audit.Report, id string) string {
	if !slices.ContainsFunc(report.Rules, func(r audit.Rule) bool { return r.ID == id }) {
		return markdown(id)
	}
	return "[" + markdown(id) + "](" + rules.URL(id) + ")"
}

// severityMarkdown are the findings of a severity, those of a rule that differ in their subject only as one. As in tables, only the first few
// of a rule are there unless all are asked for: a comment has its limits.
func severityMarkdown(report *audit.Report, severity audit.Severity, options Options) string {
	var b strings.Builder
	total := 0
	printed, left := map[string]int{}, map[string]int{}
	var order []string
	for _, group := range groupFindings(report.Findings) {
		if group.Severity != severity {
			continue
		}
		total += len(group.subjects)
		if printed[group.ID]++; printed[group.ID] > readableFindings && !options.ShowAll {
			if left[group.ID] == 0 {
				order = append(order, group.ID)
			}
			left[group.ID] += len(group.subjects)
			continue
		}
		b.WriteString(group.markdown(report, options))
	}
	for _, id := range order {
		fmt.Fprintf(&b, "… and %s of %s\n\n", count(left[id], "more finding", "more findings"), ruleLink(report, id))
	}
	return folded(fmt.Sprintf("<b>%s</b>: %s", markdown(string(severity)), count(total, "finding", "findings")), b.String())
}

func (g *findingGroup) markdown(report *audit.Report, options Options) string {
	few := readableWhats
	if options.ShowAll {
		few = len(g.subjects)
	}
	text := "**" + ruleLink(report, g.ID) + "**: " + markdown(firstOf(g.subjects, few, "; ")) + "\n\n" + markdown(g.Message) + "\n\n"
	if g.Remedy != "" {
		text += "Remedy: " + markdown(g.Remedy) + "\n\n"
	}
	if g.Evidence != "" {
		text += markdownBlock(g.Evidence) + "\n"
	}
	return text
}

func knownMarkdown(title string, list []audit.KnownFinding) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	for _, known := range list {
		b.WriteString("- " + markdown(known.ID+": ") + markdown(subjectName(known.Subject)) + "\n")
	}
	return folded(fmt.Sprintf("%s: %d", title, len(list)), b.String())
}

// gapsMarkdown says what was not looked at, in the open, and what was taken for granted.
func gapsMarkdown(incomplete, assumptions []inventory.Gap, options Options) string {
	var b strings.Builder
	if len(incomplete) > 0 {
		b.WriteString("**Incomplete**, not looked at:\n\n" + gapList(incomplete, options) + "\n")
	}
	if len(assumptions) > 0 {
		b.WriteString(folded("Assumptions, known and not simulated", gapList(assumptions, options)))
	}
	return b.String()
}

func gapList(gaps []inventory.Gap, options Options) string {
	var b strings.Builder
	for _, line := range foldGaps(gaps, options) {
		b.WriteString("- " + markdown(line) + "\n")
	}
	return b.String()
}
