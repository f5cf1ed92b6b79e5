package report

import (
	"fmt"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// none stands in a cell that has nothing to say.
const none = "-"

// simulationTable shows what would not pass unchanged, what is not known, and how many objects would pass.
func simulationTable(report *simulate.Report, options Options) ([]byte, error) {
	style := simulationStyle{Options: options, valueLimit: 48, messageLimit: 300, reasons: 2}
	table := objectTable{headers: []string{"ANNOTATION", "OUTCOME", "CHANGE", "REASON"}, name: shortName}
	shown, _ := shownResults(report, options)
	for _, result := range shown {
		for _, annotation := range shownAnnotations(result) {
			table.rows = append(table.rows, objectRow{
				ref: result.Object, subresource: result.Subresource,
				cells: []string{
					annotationKey(annotation),
					outcomeWord(result.Outcome, options),
					style.change(result, annotation),
					style.reason(result, annotation),
				},
			})
		}
	}
	return simulationDocument(report, table, options)
}

func annotationKey(annotation *simulate.Annotation) string {
	if annotation == nil {
		return none
	}
	return escape(annotation.Key)
}

// simulationDocument is a table with everything around it.
func simulationDocument(report *simulate.Report, table objectTable, options Options) ([]byte, error) {
	rows, err := table.render(options)
	if err != nil {
		return nil, err
	}
	var explained string
	if options.Explain {
		explained = explain(report, options)
	}
	return document(notes(report.Incomplete, report.Assumptions, options), simulationSummary(report, options), string(rows), explained), nil
}

// simulationSummary is the line that says it all: 3 objects for dev: 1 blocked, 2 would pass as proposed.
func simulationSummary(report *simulate.Report, options Options) string {
	summary := report.Summary
	who := escape(report.Requester.Username)
	if summary.Objects == 0 {
		return fmt.Sprintf("No objects for %s: nothing was simulated.\n", who)
	}
	var parts tally
	parts.add(summary.Blocked, "blocked")
	parts.add(summary.Unknown, "unknown")
	parts.add(summary.Altered, "altered")
	parts.add(summary.Allowed, allowedWords(report, options))
	text := fmt.Sprintf("%s for %s: %s.", count(summary.Objects, "object", "objects"), who, parts.String())
	return indented("", text, options.Width)
}

func allowedWords(report *simulate.Report, options Options) string {
	words := "would pass as proposed"
	var but tally
	but.add(allowedWith(report, policy.Warned), "with a warning")
	but.add(allowedWith(report, policy.ErrorIgnored), "past a policy that failed")
	if _, rest := shownResults(report, options); rest > 0 {
		words = "more " + words
		but = append(but, "--show-all lists them")
	}
	if len(but) == 0 {
		return words
	}
	return words + " (" + but.String() + ")"
}

// allowedWith counts the allowed results that have a step with a decision.
func allowedWith(report *simulate.Report, decision policy.Decision) int {
	n := 0
	for _, result := range report.Results {
		if result.Outcome == simulate.Allowed && hasDecision(result, decision) {
			n++
		}
	}
	return n
}

func hasDecision(result simulate.Result, decision policy.Decision) bool {
	for _, step := range result.Steps {
		if step.Decision == decision {
			return true
		}
	}
	return false
}
