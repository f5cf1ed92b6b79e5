package report

import (
	"fmt"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/verify"
)

// Verify are the formats of verifications.
var Verify = append(Formats[*verify.Report]{
	{Name: "table", Print: verifyTable},
	{Name: "wide", Print: verifyWide},
	{Name: "name", Print: verifyNames, Unexplained: true},
}, dataFormats[*verify.Report]()...)

// doubtful is the order in which agreements are shown: what needs attention first.
var doubtful = []verify.Agreement{verify.Disagrees, verify.NotCompared, verify.NotAsked, verify.Agrees}

var agreementColors = map[verify.Agreement]color{
	verify.Disagrees:   red,
	verify.NotCompared: magenta,
	verify.NotAsked:    yellow,
	verify.Agrees:      green,
}

var agreementWords = map[verify.Agreement]string{
	verify.Disagrees:   "disagrees",
	verify.NotCompared: "not compared",
	verify.NotAsked:    "not asked",
	verify.Agrees:      "agrees",
}

func agreementWord(a verify.Agreement, options Options) string {
	word, known := agreementWords[a]
	if !known {
		word = escape(string(a))
	}
	return options.paint(agreementColors[a], word)
}

// verifyDocument is a table with everything around it. What a row says already is not said again below.
func verifyDocument(report *verify.Report, table objectTable, options Options) ([]byte, error) {
	rows, err := table.render(options)
	if err != nil {
		return nil, err
	}
	var explained string
	if options.Explain {
		explained = explain(simulationBehind(report), options)
	}
	return document(notes(unsaid(report, options), report.Assumptions, options), verifySummary(report, options), string(rows), explained), nil
}

// simulationBehind is what was simulated of the results that don't agree.
func simulationBehind(report *verify.Report) *simulate.Report {
	behind := &simulate.Report{}
	for _, result := range report.Results {
		if result.Agreement != verify.Agrees {
			simulation := result.Simulation()
			simulation.Steps = result.Steps
			behind.Results = append(behind.Results, simulation)
		}
	}
	return behind
}

// shownVerifications are the results that have rows. Where nothing was asked, the reason below is enough.
func shownVerifications(report *verify.Report, options Options) []verify.Result {
	var shown []verify.Result
	for _, result := range report.Results {
		if options.ShowAll || result.Agreement == verify.Disagrees || result.Agreement == verify.NotCompared {
			shown = append(shown, result)
		}
	}
	slices.SortStableFunc(shown, func(a, b verify.Result) int {
		return slices.Index(doubtful, a.Agreement) - slices.Index(doubtful, b.Agreement)
	})
	return shown
}

func unsaid(report *verify.Report, options Options) []inventory.Gap {
	said := map[inventory.Gap]bool{}
	for _, result := range shownVerifications(report, options) {
		if gap, open := result.Gap(); open {
			said[gap] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(report.Incomplete), func(gap inventory.Gap) bool { return said[gap] })
}

// verifySummary is the line that says it all: 12 requests by dev: 1 disagrees, 11 agree.
func verifySummary(report *verify.Report, options Options) string {
	summary := report.Summary
	who := escape(report.Requester.Username)
	if summary.Requests == 0 {
		return fmt.Sprintf("No requests by %s: nothing was asked.\n", who)
	}
	var parts tally
	parts.add(summary.Disagrees, verb(summary.Disagrees, "disagrees", "disagree"))
	parts.add(summary.NotCompared, "not compared")
	parts.add(summary.NotAsked, "not asked")
	agree := verb(summary.Agrees, "agrees", "agree") + " with the API server"
	if !options.ShowAll {
		agree += " (--show-all lists them)"
	}
	parts.add(summary.Agrees, agree)
	text := fmt.Sprintf("%s by %s: %s.", count(summary.Requests, "request", "requests"), who, parts.String())
	return indented("", text, options.Width)
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// verifyNames lists the objects of requests that don't agree. With ShowAll it lists every object.
func verifyNames(report *verify.Report, options Options) ([]byte, error) {
	var refs []simulate.ObjectRef
	for _, result := range report.Results {
		if options.ShowAll || result.Agreement != verify.Agrees {
			refs = append(refs, result.Object)
		}
	}
	return names(refs), nil
}
