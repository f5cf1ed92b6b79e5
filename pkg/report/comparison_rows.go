package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/compare"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// comparisonRow are changes of one object through which the same becomes of the requests of some requesters.
type comparisonRow struct {
	changes    []compare.Change
	requesters []authorization.Subject
}

type comparisonStyle struct {
	Options
	keys bool // each annotation's
	wide bool
	name func(simulate.ObjectRef) string
}

// rows puts together the changes of one object that are alike, the most alarming first: for all their requesters, or for each.
func (s comparisonStyle) rows(changes []compare.Change) []comparisonRow {
	type alike struct {
		object                                   simulate.ObjectRef
		subresource, today, tomorrow, requesters string
	}
	var rows []comparisonRow
	at := map[alike]int{}
	for _, c := range changes {
		for _, requesters := range s.together(c.Requesters) {
			key := alike{c.Object, c.Subresource, s.side(c.Today, ""), s.side(c.Tomorrow, ""), fmt.Sprint(requesters)}
			i, found := at[key]
			if !found {
				i = len(rows)
				at[key] = i
				rows = append(rows, comparisonRow{requesters: requesters})
			}
			rows[i].changes = append(rows[i].changes, c)
		}
	}
	slices.SortStableFunc(rows, func(a, b comparisonRow) int {
		return cmp.Compare(urgency(a.changes[0]), urgency(b.changes[0]))
	})
	return rows
}

// urgency is the order in which changes are shown: what is not known, what breaks, what leaks, and what changes only its form.
func urgency(c compare.Change) int {
	switch {
	case c.Effect == compare.Unknown:
		return 0
	case c.Loses():
		return 1
	case c.Gains():
		return 2
	case c.Effect == compare.Otherwise:
		return 4
	}
	return 3
}

// together are the requesters that share a row.
func (s comparisonStyle) together(requesters []authorization.Subject) [][]authorization.Subject {
	if !s.wide && !s.ShowAll {
		return [][]authorization.Subject{requesters}
	}
	var each [][]authorization.Subject
	for _, who := range requesters {
		each = append(each, []authorization.Subject{who})
	}
	return each
}
