package report

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/compare"
)

// comparisonSummary says it all: how many objects would change and in which ways, and who loses or gains what.
func comparisonSummary(report *compare.Report, options Options) string {
	summary := report.Summary
	if summary.Objects == 0 {
		return "Nothing was compared.\n"
	}
	var requests tally
	requests.add(summary.Effects[compare.NewlyBlocked], "newly blocked")
	requests.add(summary.Effects[compare.NewlyStripped], "newly stripped")
	requests.add(summary.Effects[compare.NewlyAllowed], "newly allowed")
	requests.add(summary.Effects[compare.Otherwise], "with other warnings or records")
	text := fmt.Sprintf("%d of %s would change", summary.Changed, count(summary.Objects, "object", "objects"))
	if len(requests) > 0 {
		text += ", by request: " + requests.String()
	}
	if summary.Unknown > 0 {
		text += fmt.Sprintf("; of %d it is not known whether they would", summary.Unknown)
	}
	text = indented("", text+".", options.Width)
	return text + indented("", triedAs(report)+losing(report), options.Width)
}

func triedAs(report *compare.Report) string {
	var list []authorization.Subject
	for _, r := range report.Requesters {
		list = append(list, r.Subject)
	}
	switch {
	case len(list) == 0:
		return "Nobody was tried."
	case len(list) == 1 && report.Requesters[0].Nobody:
		return "Tried as an ordinary user (" + escape(list[0].Name) + "), who stands for all that no policy names."
	case len(list) > few:
		return "Tried as " + subjectCounts(list) + "."
	}
	return "Tried as " + subjectNames(list, few) + "."
}

// losing says who loses a right and who gains one.
func losing(report *compare.Report) string {
	summary := report.Summary
	var parts []string
	for _, who := range []struct {
		list      []authorization.Subject
		one, many string
	}{{summary.Losing, "loses the right", "lose the right"}, {summary.Gaining, "gains one", "gain one"}} {
		if len(who.list) > 0 {
			parts = append(parts, subjectCounts(who.list)+" "+verb(len(who.list), who.one, who.many)+" ("+subjectNames(ownFirst(who.list), named)+")")
		}
	}
	if len(parts) == 0 {
		if slices.ContainsFunc(report.Requesters, func(r compare.Requester) bool { return !r.Nobody }) {
			return " Nobody loses or gains a right."
		}
		return ""
	}
	return " " + strings.Join(parts, "; ") + "."
}

// ownFirst puts those last that every cluster has.
func ownFirst(list []authorization.Subject) []authorization.Subject {
	var own, builtIn []authorization.Subject
	for _, s := range list {
		if s.Namespace == metav1.NamespaceSystem || strings.HasPrefix(s.Name, "system:") {
			builtIn = append(builtIn, s)
		} else {
			own = append(own, s)
		}
	}
	return slices.Concat(own, builtIn)
}

// named is how many requesters a sentence names.
const named = 6

func subjectNames(list []authorization.Subject, most int) string {
	var words []string
	for _, subject := range list {
		words = append(words, escape(subject.String()))
	}
	return firstOf(words, most, ", ")
}
