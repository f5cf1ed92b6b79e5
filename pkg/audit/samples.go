package audit

import (
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// samples are the few objects of a kind that are kept for further requests.
type samples struct {
	first *sample // the first by namespace and name
	// best are, in each namespace, the object of which the most is prevented, the same among those that carry an annotation,
	// and one for each subresource through which what is prevented passes.
	best map[sampleKey]*sample
}

type sampleKey struct{ namespace, what string }

type sample struct {
	object    inventory.Object
	prevented int
}

func (s *samples) add(object inventory.Object, guard Guard, bypasses []Bypass) {
	one := &sample{object: object}
	for _, column := range Columns() {
		if guard.Of(column).Prevents() {
			one.prevented++
		}
	}
	all := samples{first: one, best: map[sampleKey]*sample{}}
	namespace := object.Meta().GetNamespace()
	if one.prevented > 0 {
		all.best[sampleKey{namespace, "guarded"}] = one
		if len(guardedAnnotations(object.Meta())) > 0 {
			all.best[sampleKey{namespace, "carrier"}] = one
		}
		for _, b := range bypasses {
			all.best[sampleKey{namespace, "by /" + b.Subresource}] = one
		}
	}
	s.merge(&all)
}

func (s *samples) merge(other *samples) {
	s.first = better(s.first, other.first, func(*sample) int { return 0 })
	if s.best == nil {
		s.best = map[sampleKey]*sample{}
	}
	for key, one := range other.best {
		s.best[key] = better(s.best[key], one, func(s *sample) int { return s.prevented })
	}
}

// better returns the sample with the higher rank, and of two alike the first by name.
func better(a, b *sample, rank func(*sample) int) *sample {
	switch {
	case a == nil:
		return b
	case b == nil || rank(a) > rank(b):
		return a
	case rank(b) > rank(a) || Ref(b.object).Compare(Ref(a.object)) < 0:
		return b
	}
	return a
}

// toTry are the objects that show the guard best, each once, by namespace and name.
func (s *samples) toTry() []inventory.Object {
	var seen []*sample
	for _, one := range s.best {
		if !slices.Contains(seen, one) {
			seen = append(seen, one)
		}
	}
	slices.SortFunc(seen, func(a, b *sample) int { return Ref(a.object).Compare(Ref(b.object)) })
	objects := make([]inventory.Object, len(seen))
	for i, one := range seen {
		objects[i] = one.object
	}
	return objects
}
