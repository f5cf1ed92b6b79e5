package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/compare"
)

// comparisonSummary says it all: how many objects would change and in which ways, and how many lose or gain something.
func comparisonSummary(report *compare.Report, options Options) string {
	summary := report.Summary
	switch {
	case summary.Objects == 0:
		return "Nothing was compared.\n"
	case len(report.Requesters) == 0:
		return "Nothing was compared: nobody was tried.\n"
	}
	text := fmt.Sprintf("%d of %s would change", summary.Changed, count(summary.Objects, "object", "objects"))
	if requests := requestWords(summary); requests != "" {
		text += ", by request: " + requests
	}
	if summary.Unknown > 0 {
		text += fmt.Sprintf("; of %d it is not known whether they would", summary.Unknown)
	}
	text = indented("", text+".", options.Width)
	return text + indented("", triedAs(report)+losing(report), options.Width)
}

func requestWords(summary compare.Summary) string {
	var requests tally
	requests.add(summary.Effects[compare.NewlyBlocked], "newly blocked")
	requests.add(summary.Effects[compare.NewlyStripped], "newly stripped")
	prevented := summary.Effects[compare.NewlyBlocked] + summary.Effects[compare.NewlyStripped]
	switch other := prevented - summary.Prevented; {
	case other == prevented && other > 0:
		requests[len(requests)-1] += " (all of them prevented today, too, in another way)"
	case other > 0:
		requests[len(requests)-1] += fmt.Sprintf(" (%d of these %d are prevented today, too, in another way)", other, prevented)
	}
	requests.add(summary.Effects[compare.NewlyAllowed], "newly allowed")
	requests.add(summary.Effects[compare.Otherwise], "with other warnings or records")
	return requests.String()
}

func triedAs(report *compare.Report) string {
	list := report.Requesters
	switch {
	case len(list) == 1 && list[0].Nobody:
		return "Tried as an ordinary user (" + escape(list[0].Name) + "), who stands for all that no policy names."
	case len(list) > few:
		return "Tried as " + subjectCounts(subjectsOf(list)) + "."
	}
	return "Tried as " + subjectNames(subjectsOf(list), few) + "."
}

func subjectsOf(requesters []compare.Requester) []authorization.Subject {
	subjects := make([]authorization.Subject, 0, len(requesters))
	for _, r := range requesters {
		subjects = append(subjects, r.Subject)
	}
	return subjects
}

// losing says how many lose a right and how many gain one.
func losing(report *compare.Report) string {
	var parts []string
	for _, who := range []struct {
		list      []authorization.Subject
		one, many string
	}{{report.Summary.Losing, "loses something", "lose something"}, {report.Summary.Gaining, "gains something", "gain something"}} {
		if len(who.list) > 0 {
			parts = append(parts, subjectCounts(who.list)+" "+verb(len(who.list), who.one, who.many))
		}
	}
	switch {
	case len(parts) > 0:
		return " " + strings.Join(parts, "; ") + "."
	case slices.ContainsFunc(report.Requesters, func(r compare.Requester) bool { return !r.Nobody }):
		return " Nobody loses or gains anything."
	}
	return ""
}

func subjectNames(list []authorization.Subject, most int) string {
	var words []string
	for _, subject := range list {
		words = append(words, escape(subject.String()))
	}
	return firstOf(words, most, ", ")
}
