package audit

import (
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// samples are the few objects of a kind that are kept for further requests.
type samples struct {
	first   *sample // the first by namespace and name
	guarded *sample // the one of which the most is prevented
	carrier *sample // the same among those that carry an annotation
}

type sample struct {
	object    inventory.Object
	prevented int
}

func (s *samples) add(object inventory.Object, guard Guard) {
	one := &sample{object: object}
	for _, column := range Columns() {
		if guard.Of(column).Prevents() {
			one.prevented++
		}
	}
	all := samples{first: one}
	if one.prevented > 0 {
		all.guarded = one
		if len(guardedAnnotations(object.Meta())) > 0 {
			all.carrier = one
		}
	}
	s.merge(&all)
}

func (s *samples) merge(other *samples) {
	s.first = better(s.first, other.first, func(*sample) int { return 0 })
	s.guarded = better(s.guarded, other.guarded, func(s *sample) int { return s.prevented })
	s.carrier = better(s.carrier, other.carrier, func(s *sample) int { return s.prevented })
}

// better returns the sample with the higher rank, and of two alike the first by name.
func better(a, b *sample, rank func(*sample) int) *sample {
	switch {
	case a == nil:
		return b
	case b == nil || rank(a) > rank(b):
		return a
	case rank(b) > rank(a) || compareRefs(refOf(b.object), refOf(a.object)) < 0:
		return b
	}
	return a
}

// toTry are the objects that show the guard best, each once.
func (s *samples) toTry() []inventory.Object {
	var objects []inventory.Object
	var seen []*sample
	for _, one := range []*sample{s.guarded, s.carrier} {
		if one != nil && !slices.Contains(seen, one) {
			seen = append(seen, one)
			objects = append(objects, one.object)
		}
	}
	return objects
}
