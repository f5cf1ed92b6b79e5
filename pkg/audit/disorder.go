package audit

import (
	"fmt"
	"maps"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// disorder is where the order of some mutating policies decides.
type disorder struct {
	kinds map[string]bool
	// examples are one for each kind of change.
	examples map[Column]*example
}

func newDisorder() *disorder {
	return &disorder{kinds: map[string]bool{}, examples: map[Column]*example{}}
}

// disordered finds it in the probes of one object, by the mutating policies that take part.
func disordered(object inventory.Object, all []tried) map[string]*disorder {
	found := map[string]*disorder{}
	for _, t := range all {
		if _, _, is := t.twoOrders(); !is {
			continue
		}
		by := fmt.Sprint(t.orders[0].order)
		if found[by] == nil {
			found[by] = newDisorder()
		}
		e := exampleOf(t)
		found[by].kinds[typeOf(object.Kind)] = true
		found[by].examples[t.Column] = lesser(found[by].examples[t.Column], &e)
	}
	return found
}

func (d *disorder) merge(other *disorder) {
	maps.Copy(d.kinds, other.kinds)
	for column, e := range other.examples {
		d.examples[column] = lesser(d.examples[column], e)
	}
}

func mergeDisorders(into, from map[string]*disorder) {
	for by, d := range from {
		if into[by] == nil {
			into[by] = newDisorder()
		}
		into[by].merge(d)
	}
}
