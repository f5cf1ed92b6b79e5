package report

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

// auditTable shows the findings, then the objects that carry annotations or are not fully guarded,
// then how many are neither.
func auditTable(report *audit.Report, options Options) ([]byte, error) {
	table := objectTable{headers: []string{"GUARD", "GETS THROUGH", "ANNOTATIONS"}, name: shortName}
	mayWrite := asksMayWrite(report)
	if mayWrite {
		table.headers = slices.Insert(table.headers, 1, "MAY WRITE")
	}
	for _, object := range shownObjects(report, options) {
		cells := []string{
			levelWord(object.Guard.Level(), options),
			getsThrough(object.Guard),
			annotationList(object.Annotations),
		}
		if mayWrite {
			cells = slices.Insert(cells, 1, mayWriteWord(object.MayWrite))
		}
		table.rows = append(table.rows, objectRow{ref: object.Object, cells: cells})
	}
	return auditDocument(report, table, options, false)
}

// asksMayWrite says whether the audit looked at what RBAC lets its requester do.
func asksMayWrite(report *audit.Report) bool {
	return slices.ContainsFunc(report.Objects, func(o audit.Object) bool { return o.MayWrite != nil })
}

// worthShowing says whether an object carries annotations or is not fully guarded.
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
		return cmp.Compare(slices.Index(guardOrder, a.Guard.Level()), slices.Index(guardOrder, b.Guard.Level()))
	})
	return shown
}

func annotationList(annotations []audit.Annotation) string {
	var list []string
	for _, a := range annotations {
		text := escape(a.Key) + "=" + quote(a.Value, 48)
		if !a.Valid {
			text += " (invalid)"
		}
		list = append(list, text)
	}
	return orNone(firstOf(list, readableWhats, ", "))
}

// auditDocument is a table with everything around it.
func auditDocument(report *audit.Report, table objectTable, options Options, evidence bool) ([]byte, error) {
	rows, err := table.render(options)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(findings(report, options, evidence))
	b.Write(rows)
	b.WriteString(notes(report.Incomplete, report.Assumptions, options))
	if len(rows) > 0 || len(report.Incomplete)+len(report.Assumptions) > 0 {
		b.WriteByte('\n')
	}
	b.WriteString(auditSummary(report, options))
	return bytes.TrimLeft(b.Bytes(), "\n"), nil
}

// auditSummary says it all in a line or two.
func auditSummary(report *audit.Report, options Options) string {
	summary := report.Summary
	var guarded, found tally
	guarded.add(summary.Guarded.None, "not guarded")
	guarded.add(summary.Guarded.Partial, "partly")
	guarded.add(summary.Guarded.Unknown, "unknown")
	guarded.add(summary.Guarded.Full, "fully guarded")
	for _, severity := range severities {
		found.add(summary.Findings[severity], string(severity))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s tried as %s, %d with annotations",
		count(summary.Objects, "object", "objects"), escape(report.Requester.Username), summary.Annotated)
	if len(guarded) > 0 {
		b.WriteString(": " + guarded.String())
	}
	if rest := len(report.Objects) - len(shownObjects(report, options)); rest > 0 {
		fmt.Fprintf(&b, " (%d without annotations and fully guarded are not listed; --show-all lists them)", rest)
	}
	b.WriteString(". " + foundWords(len(report.Findings), found))
	return indented("", b.String(), options.Width)
}

func foundWords(total int, bySeverity tally) string {
	if total == 0 {
		return "No findings."
	}
	return count(total, "finding", "findings") + ": " + bySeverity.String() + "."
}
