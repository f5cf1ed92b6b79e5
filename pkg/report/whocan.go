package report

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

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

// whoCanTable says of each namespace who gets through.
func whoCanTable(report *whocan.Report, options Options) ([]byte, error) {
	most := few
	if options.ShowAll {
		most = len(report.Summary.Direct) + len(report.Summary.ByPath) + len(report.Summary.Stopped) + len(report.Summary.Unknown)
	}
	table := grid{headers: []string{"NAMESPACE", "OBJECTS", "DIRECTLY", "BY A PATH", "STOPPED"}, rows: whoCanRows(report, most)}
	if len(table.rows) > readable && !options.ShowAll {
		table.rows = foldNamespaces(table.rows)
	}
	rows, err := table.render(options)
	return whoCanDocument(rows, report, options), err
}

func whoCanDocument(rows []byte, report *whocan.Report, options Options) []byte {
	var b bytes.Buffer
	b.Write(rows)
	b.WriteString(notes(report.Incomplete, report.Assumptions, options))
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	b.WriteString(whoCanSummary(report, options))
	return bytes.TrimLeft(b.Bytes(), "\n")
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
			someSubjects(s.Direct, most), someSubjects(s.ByPath, most), stoppedCell(s, most),
		})
	}
	return rows
}

func someSubjects(list []authorization.Subject, most int) string {
	if len(list) == 0 {
		return "-"
	}
	return subjectNames(list, most)
}

func stoppedCell(s whocan.Summary, most int) string {
	if len(s.Unknown) == 0 {
		return someSubjects(s.Stopped, most)
	}
	text := "not known of " + subjectNames(s.Unknown, most)
	if len(s.Stopped) > 0 {
		text = subjectNames(s.Stopped, most) + "; " + text
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

// whoCanWide has a row for everybody who may write an object, and for each path.
func whoCanWide(report *whocan.Report, options Options) ([]byte, error) {
	table := objectTable{headers: []string{"WHO", "RESULT", "HOW"}, name: fullName}
	for _, o := range report.Objects {
		for _, cells := range whoCanCells(o, options.ShowAll) {
			table.rows = append(table.rows, objectRow{ref: o.Object, cells: cells})
		}
	}
	rows, err := table.render(options)
	return whoCanDocument(rows, report, options), err
}

// whoCanCells are those of one object: who gets through, who does by a path, and the rest; administrators at the end, if at all.
func whoCanCells(o whocan.Object, all bool) [][]string {
	var direct, rest, administrators, paths [][]string
	for _, r := range o.Requesters {
		result := escape(strings.ToLower(string(r.Result)))
		if len(r.By) > 0 {
			result += " by " + escape(r.By[0].Policy)
		}
		cells := []string{nameOfSubject(r.Subject), result, escape(r.GrantedBy) + inBrackets(r.Subresource)}
		switch {
		case r.Administrator && !all:
		case r.Administrator:
			cells[0] += " (administrator)"
			administrators = append(administrators, cells)
		case r.Result.Passes():
			direct = append(direct, cells)
		default:
			rest = append(rest, cells)
		}
	}
	for _, p := range o.Paths {
		paths = append(paths, []string{nameOfSubject(p.From), pathWord(p), rightsOf(p)})
	}
	return slices.Concat(direct, paths, rest, administrators)
}

func pathWord(p whocan.Path) string {
	if p.To == nil {
		return "can change the guard"
	}
	to := nameOfSubject(*p.To)
	switch p.Kind {
	case authorization.PathImpersonation:
		return "can impersonate " + to
	case authorization.PathToken:
		return "can make a token of " + to
	case authorization.PathPod:
		return "can run pods as " + to
	case authorization.PathAccount:
		return "can create an account in " + to
	}
	return "can act as " + to
}

func rightsOf(p whocan.Path) string {
	var words []string
	for _, right := range p.Rights {
		words = append(words, escape(right.What)+": "+escape(right.By))
	}
	return strings.Join(words, "; ")
}

func nameOfSubject(s authorization.Subject) string {
	if s.Kind == rbacv1.UserKind {
		return "user " + escape(s.Name)
	}
	return escape(s.String())
}

// whoCanSummary says it all.
func whoCanSummary(report *whocan.Report, options Options) string {
	s := report.Summary
	if s.Objects == 0 {
		return "Nothing was looked at.\n"
	}
	change := string(report.Asked.Change)
	text := fmt.Sprintf("%s %s on %s: ", escape(change), escape(report.Asked.Key), count(s.Objects, "object", "objects"))
	var parts []string
	for _, part := range []struct {
		list      []authorization.Subject
		one, many string
	}{
		{s.Direct, "gets through", "get through"},
		{s.ByPath, "does by a path (-o wide shows each)", "do by a path (-o wide shows each)"},
		{s.Stopped, "may write and is stopped", "may write and are stopped"},
	} {
		if len(part.list) > 0 {
			parts = append(parts, subjectCounts(part.list)+" "+verb(len(part.list), part.one, part.many))
		}
	}
	if len(s.Direct)+len(s.ByPath) == 0 {
		parts = append([]string{"nobody gets through but administrators"}, parts...)
	}
	text += strings.Join(parts, "; ")
	if len(s.Unknown) > 0 {
		text += "; of " + subjectCounts(s.Unknown) + " it is not known"
	}
	text = strings.TrimSuffix(text, "; ") + ". "
	if len(s.Administrators) > 0 {
		text += "Not counted are administrators and the cluster's own components (" + subjectCounts(s.Administrators) + "), to whom every path is open."
	}
	return indented("", strings.TrimSpace(text), options.Width)
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
