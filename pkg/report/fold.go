package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// readable is how many rows a person reads; more are folded.
const readable = 50

// objectRow is what a table says about one object.
type objectRow struct {
	ref         simulate.ObjectRef
	subresource string
	cells       []string // beside the object itself
}

// objectTable is a table of objects: namespace, object, and what the rows say about it.
type objectTable struct {
	headers []string // beside the object's
	rows    []objectRow
	name    func(simulate.ObjectRef) string
}

// render draws the table. Where there are more rows than a person reads, the ones that say the same are
// folded, first within a namespace, then across namespaces. What is still too much is counted.
func (t objectTable) render(options Options) ([]byte, error) {
	if options.SummaryOnly {
		return nil, nil
	}
	lines := t.lines()
	var hint string
	if !options.ShowAll && len(lines) > readable {
		lines, hint = t.folded(lines)
	}
	data, err := t.withNamespaces(lines).render(options)
	if err != nil {
		return nil, err
	}
	return append(data, hint...), nil
}

func (t objectTable) folded(lines [][]string) (short [][]string, hint string) {
	short = fold(t.rows, lines, sameNamespace)
	if len(short) > readable {
		short = fold(t.rows, t.lines(), anyNamespace)
	}
	if len(short) <= readable {
		return short, "Objects that are alike share a row (--show-all lists each).\n"
	}
	left := len(short) - readable
	return short[:readable], fmt.Sprintf("... and %s like these (--show-all)\n", count(left, "more row", "more rows"))
}

func (t objectTable) lines() [][]string {
	lines := make([][]string, 0, len(t.rows))
	for _, row := range t.rows {
		object := t.name(row.ref) + inBrackets(row.subresource)
		lines = append(lines, append([]string{namespaceCell(row.ref), object}, row.cells...))
	}
	return lines
}

// withNamespaces leaves the first column out where no object has a namespace.
func (t objectTable) withNamespaces(lines [][]string) grid {
	g := grid{headers: append([]string{"NAMESPACE", "OBJECT"}, t.headers...), rows: lines}
	if slices.ContainsFunc(lines, func(line []string) bool { return line[0] != noNamespace }) {
		return g
	}
	g.headers = g.headers[1:]
	for i := range g.rows {
		g.rows[i] = g.rows[i][1:]
	}
	return g
}

// sameNamespace and anyNamespace are the two ways in which rows are alike, but for what they say.
func sameNamespace(row objectRow) string { return row.ref.Namespace + "\x00" + anyNamespace(row) }
func anyNamespace(row objectRow) string {
	return row.ref.APIVersion + "\x00" + row.ref.Kind + "\x00" + row.subresource
}

// fold replaces lines that are alike by one that counts their objects, where the first of them stood.
func fold(rows []objectRow, lines [][]string, alike func(objectRow) string) [][]string {
	groups := map[string][]int{}
	var order []string
	for i, row := range rows {
		key := alike(row) + "\x00" + strings.Join(row.cells, "\x00")
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], i)
	}
	folded := make([][]string, 0, len(order))
	for _, key := range order {
		folded = append(folded, foldGroup(rows, lines, groups[key]))
	}
	return folded
}

func foldGroup(rows []objectRow, lines [][]string, group []int) []string {
	line := lines[group[0]]
	namespaces, objects := map[string]bool{}, map[simulate.ObjectRef]bool{}
	for _, i := range group {
		namespaces[rows[i].ref.Namespace] = true
		objects[rows[i].ref] = true
	}
	if len(objects) == 1 {
		return line
	}
	if len(namespaces) > 1 {
		line[0] = fmt.Sprintf("(%d namespaces)", len(namespaces))
	}
	first := rows[group[0]]
	line[1] = fmt.Sprintf("(%d %s)", len(objects), plural(first.ref)) + inBrackets(first.subresource)
	return line
}

func inBrackets(subresource string) string {
	if subresource == "" {
		return ""
	}
	return " (" + escape(subresource) + ")"
}
