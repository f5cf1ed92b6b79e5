package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/whocan"
)

// WhoCan are the formats of answers to who can make a change.
var WhoCan = append(Formats[*whocan.Report]{
	{Name: "table", Print: whoCanTable},
	{Name: "wide", Print: whoCanWide},
	{Name: "name", Print: whoCanNames, Unexplained: true},
}, dataFormats[*whocan.Report]()...)

// readableSubjects is how many names a cell has. One more would take no more room than its count.
const readableSubjects = 8

// whoCanTable says of each namespace who gets through.
func whoCanTable(report *whocan.Report, options Options) ([]byte, error) {
	most := readableSubjects
	if options.ShowAll {
		most = len(report.Summary.Direct) + len(report.Summary.ByPath) + len(report.Summary.Stopped) + len(report.Summary.Unknown)
	}
	table := grid{headers: []string{"NAMESPACE", "OBJECTS", "DIRECTLY", "BY A PATH", "STOPPED"}, rows: whoCanRows(report, most)}
	if len(table.rows) > readable && !options.ShowAll {
		table.rows = foldNamespaces(table.rows)
	}
	rows, err := table.render(options)
	document := whoCanDocument(rows, report, options)
	if len(report.Summary.Direct)+len(report.Summary.ByPath) > 0 {
		document = append(document, indented("", "-o wide says what lets each of them through.", options.Width)...)
	}
	return document, err
}

func whoCanDocument(rows []byte, report *whocan.Report, options Options) []byte {
	return document(notes(report.Incomplete, report.Assumptions, options), whoCanSummary(report, options), string(rows))
}

// whoCanRows have one for the objects of each namespace, and one for the namespace itself.
func whoCanRows(report *whocan.Report, most int) [][]string {
	type place struct {
		namespace string
		itself    bool
	}
	var order []place
	objects := map[place][]whocan.Object{}
	for _, o := range report.Objects {
		at := place{namespace: o.Object.Namespace}
		if o.Object.Kind == "Namespace" && o.Object.Namespace == "" {
			at = place{o.Object.Name, true}
		}
		if objects[at] == nil {
			order = append(order, at)
		}
		objects[at] = append(objects[at], o)
	}
	slices.SortStableFunc(order, func(a, b place) int { return cmp.Compare(a.namespace, b.namespace) })
	var rows [][]string
	for _, at := range order {
		s := whocan.Summarize(objects[at])
		what := count(s.Objects, "object", "objects")
		if at.itself {
			what = "the namespace itself"
		}
		rows = append(rows, []string{
			namespaceCell(simulate.ObjectRef{Namespace: at.namespace}), what,
			someSubjects(leaksFirst(s.Direct, objects[at]), most), someSubjects(s.ByPath, most), stoppedCell(s, most),
		})
	}
	return rows
}

func someSubjects(list []authorization.Subject, most int) string {
	if len(list) == 0 {
		return "-"
	}
	return namesUpTo(list, most)
}

func namesUpTo(list []authorization.Subject, most int) string {
	if len(list) == most+1 {
		most++
	}
	return subjectNames(list, most)
}

// leaksFirst puts those first whom a pattern lets through that matches only a part of their name: nobody may have meant them.
func leaksFirst(list []authorization.Subject, objects []whocan.Object) []authorization.Subject {
	leaks := map[authorization.Subject]bool{}
	for _, o := range objects {
		for _, r := range o.Requesters {
			if slices.ContainsFunc(r.Exemptions, func(x audit.Exemption) bool { return x.Part }) {
				leaks[r.Subject] = true
			}
		}
	}
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b authorization.Subject) int {
		switch {
		case leaks[a] == leaks[b]:
			return 0
		case leaks[a]:
			return -1
		}
		return 1
	})
	return sorted
}

func stoppedCell(s whocan.Summary, most int) string {
	if len(s.Unknown) == 0 {
		return someSubjects(s.Stopped, most)
	}
	text := "not known of " + namesUpTo(s.Unknown, most)
	if len(s.Stopped) > 0 {
		text = namesUpTo(s.Stopped, most) + "; " + text
	}
	return text
}

// foldNamespaces replaces rows that say the same by one that counts their namespaces.
func foldNamespaces(rows [][]string) [][]string {
	var folded [][]string
	namespaces := map[string]int{}
	for _, row := range rows {
		key := strings.Join(row[1:], "\x00")
		if namespaces[key]++; namespaces[key] == 1 {
			folded = append(folded, slices.Clone(row))
		}
	}
	for _, row := range folded {
		if n := namespaces[strings.Join(row[1:], "\x00")]; n > 1 {
			row[0] = fmt.Sprintf("(%d namespaces)", n)
		}
	}
	return folded
}

// whoCanNames lists the objects on which somebody gets through who is no administrator.
func whoCanNames(report *whocan.Report, _ Options) ([]byte, error) {
	var refs []simulate.ObjectRef
	for _, o := range report.Objects {
		if len(o.Paths) > 0 || slices.ContainsFunc(o.Requesters, func(r whocan.Requester) bool { return r.Result.Passes() && !r.Administrator }) {
			refs = append(refs, o.Object)
		}
	}
	return names(refs), nil
}
