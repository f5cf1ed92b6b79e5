package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// findings are what is kept of the objects that were compared: a worker's own until they are merged.
type findings struct {
	objects     map[simulate.ObjectRef]bool
	requesters  map[authorization.Subject]Requester
	writable    map[authorization.Subject]int // how many objects each may write
	changes     []*Change
	alike       map[changeKey]*Change // those of the object that is being compared
	incomplete  map[inventory.Gap]bool
	assumptions map[inventory.Gap]bool
}

func newFindings() *findings {
	return &findings{
		objects: map[simulate.ObjectRef]bool{}, requesters: map[authorization.Subject]Requester{}, writable: map[authorization.Subject]int{},
		alike: map[changeKey]*Change{}, incomplete: map[inventory.Gap]bool{}, assumptions: map[inventory.Gap]bool{},
	}
}

// changeKey tells changes apart but for their requesters.
type changeKey struct {
	object                      simulate.ObjectRef
	operation, subresource, key string
	asked                       simulate.ChangeKind
	effect                      Effect
	today, tomorrow             string
}

// add keeps a change of one requester, beside others' of whose requests the same comes.
func (f *findings) add(who authorization.Subject, c Change) {
	key := changeKey{c.Object, c.Operation, c.Subresource, c.Key, c.Asked, c.Effect, fmt.Sprint(c.Today), fmt.Sprint(c.Tomorrow)}
	if f.alike[key] == nil {
		f.alike[key] = &c
		f.changes = append(f.changes, &c)
	}
	f.alike[key].Requesters = append(f.alike[key].Requesters, who)
}

func (f *findings) assume(gaps []inventory.Gap) {
	for _, gap := range gaps {
		f.assumptions[gap] = true
	}
}

func (f *findings) leaveOpen(gaps []inventory.Gap) {
	for _, gap := range gaps {
		f.incomplete[gap] = true
	}
}

func (f *findings) merge(other *findings) {
	maps.Copy(f.objects, other.objects)
	maps.Copy(f.requesters, other.requesters)
	for subject, n := range other.writable {
		f.writable[subject] += n
	}
	f.changes = append(f.changes, other.changes...)
	maps.Copy(f.incomplete, other.incomplete)
	maps.Copy(f.assumptions, other.assumptions)
}

// report puts everything in its stable order. The gaps of both inventories are told, each once.
func (f *findings) report(today, tomorrow *simulate.Simulator) Report {
	incomplete := []inventory.Gap{}
	for _, s := range []*simulate.Simulator{today, tomorrow} {
		incomplete = simulate.AddGaps(incomplete, s.Inventory().Incomplete())
		incomplete = simulate.AddGaps(incomplete, s.Policies().Unread)
	}
	changes := make([]Change, 0, len(f.changes))
	for _, c := range f.changes {
		slices.SortFunc(c.Requesters, authorization.Subject.Compare)
		changes = append(changes, *c)
	}
	slices.SortStableFunc(changes, compareChanges)
	r := Report{
		APIVersion:  simulate.APIVersion,
		Kind:        "ComparisonReport",
		Server:      tomorrow.Inventory().Server(),
		Requesters:  f.counted(),
		Changes:     changes,
		Incomplete:  simulate.AddGaps(incomplete, inventory.SortedGaps(maps.Keys(f.incomplete))),
		Assumptions: inventory.SortedGaps(maps.Keys(f.assumptions)),
	}
	r.Summary = f.summary()
	return r
}

// counted are the requesters in their stable order, with what each may write, loses and gains.
func (f *findings) counted() []Requester {
	loses, gains := map[authorization.Subject]int{}, map[authorization.Subject]int{}
	for _, c := range f.changes {
		for _, who := range c.Requesters {
			switch {
			case c.Loses():
				loses[who]++
			case c.Gains():
				gains[who]++
			}
		}
	}
	list := slices.SortedFunc(maps.Values(f.requesters), func(a, b Requester) int { return a.Compare(b.Subject) })
	for i := range list {
		subject := list[i].Subject
		list[i].Objects, list[i].Loses, list[i].Gains = f.writable[subject], loses[subject], gains[subject]
	}
	return list
}

func compareChanges(a, b Change) int {
	return cmp.Or(
		a.Object.Compare(b.Object),
		cmp.Compare(a.Subresource, b.Subresource), cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Asked, b.Asked),
		slices.CompareFunc(a.Requesters, b.Requesters, authorization.Subject.Compare),
	)
}

func (f *findings) summary() Summary {
	changed, unknown := map[simulate.ObjectRef]bool{}, map[simulate.ObjectRef]bool{}
	losing, gaining := map[authorization.Subject]bool{}, map[authorization.Subject]bool{}
	s := Summary{Objects: len(f.objects), Effects: map[Effect]int{NewlyBlocked: 0, NewlyStripped: 0, NewlyAllowed: 0, Otherwise: 0, Unknown: 0}}
	for _, c := range f.changes {
		s.Effects[c.Effect] += len(c.Requesters)
		if c.Effect == Unknown {
			unknown[c.Object] = true
			continue
		}
		changed[c.Object] = true
		if c.Loses() {
			s.Prevented += len(c.Requesters)
		}
		for _, who := range c.Requesters {
			if f.requesters[who].Nobody {
				continue
			}
			if c.Loses() {
				losing[who] = true
			}
			if c.Gains() {
				gaining[who] = true
			}
		}
	}
	s.Changed, s.Unknown = len(changed), len(unknown)
	s.Losing, s.Gaining = slices.SortedFunc(maps.Keys(losing), authorization.Subject.Compare), slices.SortedFunc(maps.Keys(gaining), authorization.Subject.Compare)
	return s
}
