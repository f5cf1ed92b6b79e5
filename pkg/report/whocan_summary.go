package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/whocan"
)

// whoCanSummary says it all.
func whoCanSummary(report *whocan.Report, options Options) string {
	s := report.Summary
	if s.Objects == 0 {
		return "Nothing was looked at.\n"
	}
	change, onOne := string(report.Asked.Change), ""
	if s.Objects > 1 {
		onOne = " on at least one of them"
	}
	text := fmt.Sprintf("%s %s on %s: ", escape(change), escape(report.Asked.Key), count(s.Objects, "object", "objects"))
	var parts []string
	for _, part := range []struct {
		list            []authorization.Subject
		one, many, more string
	}{
		{s.Direct, "gets through", "get through", onOne + otherwiseElsewhere(report)},
		{s.ByPath, "does by a path", "do by a path", onOne},
		{s.Stopped, "may write and is stopped", "may write and are stopped", ""},
	} {
		if len(part.list) > 0 {
			parts = append(parts, subjectCounts(part.list)+" "+verb(len(part.list), part.one, part.many)+part.more)
		}
	}
	if len(s.Direct)+len(s.ByPath) == 0 {
		parts = append([]string{"nobody gets through but administrators"}, parts...)
	}
	text += strings.Join(parts, "; ")
	if len(s.Unknown) > 0 {
		text += "; of " + subjectCounts(s.Unknown) + " it is not known"
	}
	text = strings.TrimSuffix(text, "; ") + ". " + refusedAnyway(report)
	if len(s.Administrators) > 0 {
		text += "Not counted are administrators and the cluster's own components (" + subjectCounts(s.Administrators) + "), to whom every path is open."
	}
	return indented("", strings.TrimSpace(text), options.Width)
}

// otherwiseElsewhere counts those who get through on some object and not on all that they may write: the table has them in its other
// columns, too.
func otherwiseElsewhere(report *whocan.Report) string {
	direct, other := map[authorization.Subject]bool{}, map[authorization.Subject]bool{}
	for _, subject := range report.Summary.Direct {
		direct[subject] = true
	}
	note := func(subject authorization.Subject, elsewhere bool) {
		if direct[subject] && elsewhere {
			other[subject] = true
		}
	}
	for _, o := range report.Objects {
		for _, r := range o.Requesters {
			note(r.Subject, r.Result.Prevents())
		}
		for _, p := range o.Paths {
			note(p.From, true)
		}
	}
	if len(other) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s %s not on others)", subjectCounts(slices.Collect(maps.Keys(other))), verb(len(other), "does", "do"))
}

// refusedAnyway says that those who are stopped are not stopped by a guard of the annotation.
func refusedAnyway(report *whocan.Report) string {
	refused := map[authorization.Subject]bool{}
	by := map[string]bool{}
	for _, o := range report.Objects {
		for _, r := range o.Requesters {
			if !r.RefusedAnyway || r.Administrator {
				continue
			}
			refused[r.Subject] = true
			for _, p := range r.By {
				by[escape(p.Policy)] = true
			}
		}
	}
	if len(refused) == 0 {
		return ""
	}
	who := "the API server itself"
	if names := slices.Sorted(maps.Keys(by)); len(names) > 0 {
		who = strings.Join(names, ", ")
	}
	return fmt.Sprintf("What stops %s at present is %s, with the annotation or without, and no guard of the annotation. ", subjectCounts(slices.Collect(maps.Keys(refused))), who)
}
