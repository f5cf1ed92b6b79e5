package report

import (
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/verify"
)

// verifyTable shows what the API server answers differently, with both sides, and what could not be compared.
func verifyTable(report *verify.Report, options Options) ([]byte, error) {
	style := verifyStyle{simulationStyle{Options: options, valueLimit: 48, messageLimit: 400}}
	table := objectTable{headers: []string{"REQUEST", "RESULT", "SIMULATED AND SERVER"}, name: shortName}
	for _, result := range shownVerifications(report, options) {
		for _, line := range style.lines(result) {
			table.rows = append(table.rows, objectRow{
				ref: result.Object, subresource: result.Subresource,
				cells: []string{style.request(result), agreementWord(result.Agreement, options), line},
			})
		}
	}
	return verifyDocument(report, table, options)
}

// verifyWide has the table's rows, with each side in a column of its own.
func verifyWide(report *verify.Report, options Options) ([]byte, error) {
	style := verifyStyle{simulationStyle{Options: options, valueLimit: 200, messageLimit: 1000}}
	table := objectTable{headers: []string{"VERB", "SUBRESOURCE", "REQUEST", "RESULT", "SIMULATED", "SERVER", "DIFFERENCE"}, name: fullName}
	for _, result := range shownVerifications(report, options) {
		server := none
		if result.Server != nil {
			server = outcomeWord(result.Server.Outcome, options)
		}
		for _, line := range style.lines(result) {
			table.rows = append(table.rows, objectRow{ref: result.Object, cells: []string{
				orNone(escape(result.Verb)), orNone(escape(result.Subresource)), style.request(result),
				agreementWord(result.Agreement, options), outcomeWord(result.Simulated.Outcome, options), server, line,
			}})
		}
	}
	return verifyDocument(report, table, options)
}

// verifyStyle is how much of everything a table shows.
type verifyStyle struct{ simulationStyle }

// request says in words what is asked: update, downscaler/exclude added "true".
func (s verifyStyle) request(result verify.Result) string {
	words := []string{escape(strings.ToLower(result.Operation))}
	for _, change := range result.Changes {
		annotation := simulate.Annotation{Change: change.Change, Before: change.Before, Proposed: change.Proposed}
		words = append(words, escape(change.Key)+" "+s.changeWords(&annotation))
	}
	return firstOf(words, 4, ", ")
}

// lines are one for each difference of a disagreement, and otherwise one that says why, or what both sides say.
func (s verifyStyle) lines(result verify.Result) []string {
	if result.Agreement != verify.Disagrees || len(result.Differences) == 0 {
		if result.Why == "" {
			return []string{s.both(result)}
		}
		return []string{shorten(result.Why, s.messageLimit)}
	}
	lines := make([]string, 0, len(result.Differences))
	for _, d := range result.Differences {
		lines = append(lines, escape(d.What)+": simulated "+s.side(d.Simulated)+", the server says "+s.side(d.Server))
	}
	return lines
}

// both is what both sides say that agree.
func (s verifyStyle) both(result verify.Result) string {
	text := escape(strings.ToLower(string(result.Simulated.Outcome)))
	if result.Simulated.Status != nil {
		text += ": " + shorten(result.Simulated.Status.Message, s.messageLimit)
	}
	return text
}

func (s verifyStyle) side(value *string) string {
	if value == nil {
		return "nothing"
	}
	return quote(*value, s.messageLimit)
}
