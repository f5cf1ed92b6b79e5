package inventory

import (
	"cmp"
	"iter"
	"slices"
)

// Gap is something that was not read, evaluated or simulated: what it is, and why.
// Reports list gaps under "incomplete" or "assumptions".
type Gap struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// Compare orders gaps by what is missing, and why.
func (g Gap) Compare(other Gap) int {
	return cmp.Or(cmp.Compare(g.What, other.What), cmp.Compare(g.Why, other.Why))
}

// SortedGaps is a list of gaps, in order; none is an empty one.
func SortedGaps(gaps iter.Seq[Gap]) []Gap {
	return append([]Gap{}, slices.SortedFunc(gaps, Gap.Compare)...)
}
