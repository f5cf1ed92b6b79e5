package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

// auditSummary says it all in two lines: the objects, and the findings. A third one says what is left out.
func auditSummary(report *audit.Report, options Options) string {
	text := indented("", triedWords(report, options), options.Width) + indented("", foundWords(report), options.Width)
	if left := leftOutWords(report, options); left != "" {
		text += indented("", left, options.Width)
	}
	return text
}

// triedWords say how many objects were tried, where, by whom, and how well they are guarded.
func triedWords(report *audit.Report, options Options) string {
	summary := report.Summary
	if summary.Objects == 0 {
		return nothingTried(report)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s tried as %s, %d with annotations",
		count(summary.Objects, "object", "objects"), scopeWords(report.Scope), escape(report.Requester.Username), summary.Annotated)
	if guarded := guardedWords(report); guarded != "" {
		b.WriteString(": " + guarded)
	}
	if options.SummaryOnly || options.FindingsOnly && !options.ShowAll {
		return b.String() + "."
	}
	if rest := len(report.Objects) - len(shownObjects(report, options)); rest > 0 {
		fmt.Fprintf(&b, "; %d without annotations are not listed (--show-all lists them)", rest)
	}
	return b.String() + "."
}

func nothingTried(report *audit.Report) string {
	if len(report.Incomplete) > 0 {
		return "Nothing could be audited" + scopeWords(report.Scope) + "."
	}
	return "There is nothing to audit" + scopeWords(report.Scope) + "."
}

// scopeWords name the part of the state that was audited.
func scopeWords(scope audit.Scope) string {
	var b strings.Builder
	if scope.Namespace != "" {
		b.WriteString(" in namespace " + escape(scope.Namespace) + " (-A for every one)")
	}
	if scope.Selector != "" {
		b.WriteString(" with the labels " + escape(scope.Selector))
	}
	return b.String()
}

// guardedWords count by the words of the table's column, those last that are guarded best. The report's summary counts as full whatever
// is guarded directly.
func guardedWords(report *audit.Report) string {
	guarded := report.Summary.Guarded
	var words tally
	words.add(guarded.None, "not guarded")
	words.add(guarded.Partial, "partly")
	words.add(guarded.Unknown, "unknown")
	if bypassed := report.Summary.Bypassed; bypassed > 0 {
		words.add(bypassed, directOnly+" (open by "+bypassedBy(report)+")")
	}
	words.add(guarded.Full-report.Summary.Bypassed, "fully guarded")
	return words.String()
}

// foundWords count the findings by severity, with the rules' names: long tables push the findings out of sight.
func foundWords(report *audit.Report) string {
	if len(report.Findings) == 0 {
		if report.Summary.Objects == 0 {
			return "No findings, since nothing was tried."
		}
		if report.Summary.Hidden > 0 {
			return "No findings to show."
		}
		if report.Baseline != nil {
			return "No new findings."
		}
		return "No findings."
	}
	ids := map[audit.Severity][]string{}
	for _, finding := range report.Findings {
		if id := escape(finding.ID); !slices.Contains(ids[finding.Severity], id) {
			ids[finding.Severity] = append(ids[finding.Severity], id)
		}
	}
	var found tally
	for _, severity := range severities {
		found.add(report.Summary.Findings[severity], string(severity)+" ("+strings.Join(ids[severity], ", ")+")")
	}
	return count(len(report.Findings), "finding", "findings") + ": " + found.String() + "."
}
