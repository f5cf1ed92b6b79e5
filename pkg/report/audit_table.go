package report

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

// auditTable shows the findings, then the objects that carry annotations or are not fully guarded,
// then how many are neither.
func auditTable(report *audit.Report, options Options) ([]byte, error) {
	if options.SummaryOnly || options.FindingsOnly && !options.ShowAll {
		return auditWithoutObjects(report, options), nil
	}
	table := objectTable{headers: []string{"GUARD", "GETS THROUGH", "ANNOTATIONS"}, name: shortName}
	mayWrite := asksMayWrite(report)
	if mayWrite {
		table.headers = slices.Insert(table.headers, 1, "MAY WRITE")
	}
	for _, object := range shownObjects(report, options) {
		cells := []string{
			standingWord(object, options),
			getsThrough(object),
			annotationList(object.Annotations),
		}
		if mayWrite {
			cells = slices.Insert(cells, 1, mayWriteWord(object.MayWrite))
		}
		table.rows = append(table.rows, objectRow{ref: object.Object, cells: cells})
	}
	return auditDocument(report, table, options)
}

// asksMayWrite says whether the audit looked at what RBAC lets its requester do.
func asksMayWrite(report *audit.Report) bool {
	return slices.ContainsFunc(report.Objects, func(o audit.Object) bool { return o.MayWrite != nil })
}

// worthShowing says whether an object carries annotations or is not fully guarded itself. What leads around the guards of all
// objects of a kind is a finding, and no reason to list them all.
func worthShowing(object audit.Object) bool {
	return len(object.Annotations) > 0 || object.Guard.Level() != audit.LevelFull
}

// shownObjects are the objects that the table has rows for, the least guarded first.
func shownObjects(report *audit.Report, options Options) []audit.Object {
	all := options.ShowAll || len(report.Objects) <= handful
	var shown []audit.Object
	for _, object := range report.Objects {
		if all || worthShowing(object) {
			shown = append(shown, object)
		}
	}
	slices.SortStableFunc(shown, func(a, b audit.Object) int {
		return cmp.Compare(slices.Index(standings, standing(a)), slices.Index(standings, standing(b)))
	})
	return shown
}

func annotationList(annotations []audit.Annotation) string {
	var list []string
	for _, a := range annotations {
		text := escape(a.Key) + "=" + quote(a.Value, 48)
		if word := flawWord(a); word != "" {
			text += " (" + word + ")"
		}
		list = append(list, text)
	}
	return orNone(firstOf(list, readableWhats, ", "))
}

// flawWord says in a word or two what is wrong with an annotation; a flaw that is not known is one all the same.
func flawWord(a audit.Annotation) string {
	switch a.Flaw {
	case audit.FlawUnknownKey:
		return "unknown key"
	case audit.FlawIncompatible:
		return "incompatible"
	case audit.FlawExpired:
		return "expired"
	}
	if a.Flaw != "" || !a.Valid {
		return "invalid"
	}
	return ""
}

// auditWithoutObjects has the findings, if these were asked for, and what was not looked at.
func auditWithoutObjects(report *audit.Report, options Options) []byte {
	var b bytes.Buffer
	if !options.SummaryOnly {
		b.WriteString(findings(report, options))
		b.WriteString(baseline(report, options))
	}
	if left := notes(report.Incomplete, report.Assumptions, options); left != "" {
		b.WriteString(left + "\n")
	}
	b.WriteString(auditSummary(report, options))
	return bytes.TrimLeft(b.Bytes(), "\n")
}

// auditDocument is a table with everything around it.
func auditDocument(report *audit.Report, table objectTable, options Options) ([]byte, error) {
	rows, err := table.render(options)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(findings(report, options))
	b.WriteString(baseline(report, options))
	b.Write(rows)
	b.WriteString(why(report, shownObjects(report, options), options))
	b.WriteString(notes(report.Incomplete, report.Assumptions, options))
	if len(rows) > 0 || len(report.Incomplete)+len(report.Assumptions) > 0 {
		b.WriteByte('\n')
	}
	b.WriteString(auditSummary(report, options))
	return bytes.TrimLeft(b.Bytes(), "\n"), nil
}
