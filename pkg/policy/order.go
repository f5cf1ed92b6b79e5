package policy

import (
	"cmp"
	"slices"
)

// Place is one run of a mutating policy: through a binding and, where the binding finds several, with a parameter.
type Place struct{ Policy, Binding, Param string }

// Order is an order in which mutating policies run. The API server goes through the policies, through the bindings of each
// and through the parameters of each binding (k8s.io/apiserver/pkg/admission/plugin/policy/generic, policyDispatcher), so that what
// belongs together stands together.
type Order []Place

// Disorder says that orders of mutating policies come to different results.
type Disorder struct {
	// Orders are one for each result, that of the names first.
	Orders []Order
	// Whole says that every order was tried and its result is known, so that there is no other result.
	Whole bool
}

// Exchange is one step from an order to another: two neighbours change places. First and Second are the first places of each.
type Exchange struct {
	Before, After Order
	First, Second Place
}

// Exchanges are the steps by which an order becomes another of the same places. Each passes only orders that the API server may take.
func (o Order) Exchanges(to Order) []Exchange {
	var steps []Exchange
	for level := range places {
		for {
			step, found := o.exchange(to, level)
			if !found {
				break
			}
			steps = append(steps, step)
			o = step.After
		}
	}
	return steps
}

// exchange moves the first two neighbours of a level that stand the other way round in another order.
func (o Order) exchange(to Order, level int) (Exchange, bool) {
	blocks := o.blocks(level)
	for i := range len(blocks) - 1 {
		first, second := blocks[i][0], blocks[i+1][0]
		if !first.within(second, level-1) || slices.Index(to, first) <= slices.Index(to, second) {
			continue
		}
		blocks[i], blocks[i+1] = blocks[i+1], blocks[i]
		return Exchange{Before: o, After: slices.Concat(blocks...), First: first, Second: second}, true
	}
	return Exchange{}, false
}

// The levels of a place: its policy, the binding, and the parameter.
const places = 3

// within says whether two places share all levels up to one.
func (p Place) within(other Place, level int) bool {
	return level < 0 || p.Policy == other.Policy && (level < 1 || p.Binding == other.Binding) && (level < 2 || p.Param == other.Param)
}

// blocks are the parts of an order that share all levels up to one.
func (o Order) blocks(level int) []Order {
	var all []Order
	for i, place := range o {
		if i == 0 || !place.within(o[i-1], level) {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], place)
	}
	return all
}

// manyOrders is the number of orders up to which all are tried: that of four policies.
const manyOrders = 24

// others returns the orders to try beside an order, and whether these are all that there are. Else they are the reverse and those
// in which each place comes first.
func (o Order) others() (tried []Order, all bool) {
	if o.count(0) <= manyOrders {
		return slices.DeleteFunc(o.every(0), func(other Order) bool { return slices.Equal(o, other) }), true
	}
	reverse := slices.Clone(o)
	slices.Reverse(reverse)
	tried = []Order{reverse}
	for _, place := range o[1:] {
		first := slices.Clone(o)
		slices.SortStableFunc(first, func(a, b Place) int { return cmp.Compare(place.distance(a), place.distance(b)) })
		tried = append(tried, first)
	}
	return tried, false
}

// distance is the number of levels that two places do not share.
func (p Place) distance(other Place) int {
	for level := range places {
		if !p.within(other, level) {
			return places - level
		}
	}
	return 0
}

// count is the number of orders, or some number over manyOrders.
func (o Order) count(level int) int {
	if level == places {
		return 1
	}
	n := 1
	for i, block := range o.blocks(level) {
		n *= (i + 1) * block.count(level+1)
		if n > manyOrders {
			break
		}
	}
	return n
}

// every returns all orders.
func (o Order) every(level int) []Order {
	if level == places {
		return []Order{o}
	}
	var all []Order
	for _, blocks := range permutations(o.blocks(level)) {
		heads := []Order{nil}
		for _, block := range blocks {
			var longer []Order
			for _, head := range heads {
				for _, tail := range block.every(level + 1) {
					longer = append(longer, slices.Concat(head, tail))
				}
			}
			heads = longer
		}
		all = append(all, heads...)
	}
	return all
}

func permutations[T any](items []T) [][]T {
	if len(items) <= 1 {
		return [][]T{slices.Clone(items)}
	}
	var all [][]T
	for i, first := range items {
		for _, rest := range permutations(slices.Delete(slices.Clone(items), i, i+1)) {
			all = append(all, append([]T{first}, rest...))
		}
	}
	return all
}
