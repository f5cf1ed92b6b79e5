package report

import (
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

var auditWideHeaders = []string{
	"ANNOTATION", "VALUE", "MEANING", "FIELD MANAGER", "WROTE AT", "GUARD", "CREATE", "ADD", "EDIT", "REMOVE", "BY SUBRESOURCE", "PROBLEM",
}

// auditWide has the table's objects with a row an annotation: what it means in words where it is timespans, which field manager owns it and when that wrote last, what is
// wrong with it, and what each probe of the guard came to.
func auditWide(report *audit.Report, options Options) ([]byte, error) {
	table := objectTable{headers: slices.Clone(auditWideHeaders), name: fullName}
	mayWrite := asksMayWrite(report)
	if mayWrite {
		table.headers = slices.Insert(table.headers, 6, "MAY WRITE")
	}
	for _, object := range shownObjects(report, options) {
		for _, annotation := range annotationsOrNone(object) {
			cells := wideCells(object, annotation, options)
			if mayWrite {
				cells = slices.Insert(cells, 6, mayWriteWord(object.MayWrite))
			}
			table.rows = append(table.rows, objectRow{ref: object.Object, cells: cells})
		}
	}
	return auditDocument(report, table, options)
}

// annotationsOrNone gives an object without annotations a row, too.
func annotationsOrNone(object audit.Object) []*audit.Annotation {
	if len(object.Annotations) == 0 {
		return []*audit.Annotation{nil}
	}
	list := make([]*audit.Annotation, 0, len(object.Annotations))
	for i := range object.Annotations {
		list = append(list, &object.Annotations[i])
	}
	return list
}

func wideCells(object audit.Object, annotation *audit.Annotation, options Options) []string {
	key, value, meaning, setBy, setAt, problem := none, none, none, none, none, none
	if annotation != nil {
		key, value = escape(annotation.Key), quote(annotation.Value, 200)
		meaning = orNone(escape(annotation.Meaning))
		setBy, setAt = orNone(escape(annotation.SetBy)), orNone(escape(annotation.SetAt))
		problem = orNone(escape(annotation.Problem))
	}
	cells := []string{key, value, meaning, setBy, setAt, standingWord(object, options)}
	for _, p := range probes(object.Guard) {
		cells = append(cells, protectionWord(p.protection))
	}
	return append(cells, orNone(strings.TrimPrefix(bypasses(object), "by ")), problem)
}
