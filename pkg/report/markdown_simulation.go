package report

import (
	"fmt"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// simulationMarkdown is a comment for a pull request: a table of the outcomes' numbers and, folded, one of the requests that the table for
// people shows.
func simulationMarkdown(report *simulate.Report, options Options) ([]byte, error) {
	var b strings.Builder
	b.WriteString("### What the API server would do\n\n")
	summary := report.Summary
	b.WriteString(markdown(fmt.Sprintf("%s by %s.", count(summary.Objects, "request", "requests"), escape(report.Requester.Username))) + "\n\n")
	b.WriteString(markdownTable([]string{"allowed", "altered", "blocked", "unknown"},
		[][]string{{fmt.Sprint(summary.Allowed), fmt.Sprint(summary.Altered), fmt.Sprint(summary.Blocked), fmt.Sprint(summary.Unknown)}}) + "\n")
	style := simulationStyle{valueLimit: 200, messageLimit: 600, reasons: 3}
	shown, rest := shownResults(report, options)
	rows := make([][]string, 0, len(shown))
	for _, result := range shown {
		rows = append(rows, style.markdownRow(result))
	}
	if len(rows) > 0 {
		title := count(len(rows), "request", "requests")
		if rest > 0 {
			title += fmt.Sprintf(", and %d more that would pass as they are", rest)
		}
		b.WriteString(folded(title, markdownTable([]string{"outcome", "request", "why"}, rows)))
	}
	b.WriteString(gapsMarkdown(report.Incomplete, report.Assumptions, options))
	return []byte(strings.TrimRight(b.String(), "\n") + "\n"), nil
}

func (s simulationStyle) markdownRow(result simulate.Result) []string {
	request := operationWord(result) + " " + located(result.Object)
	if result.Subresource != "" {
		request += "/" + escape(result.Subresource)
	}
	return []string{markdown(outcomeWord(result.Outcome, Options{})), markdown(request), markdown(s.reasonOf(result))}
}
