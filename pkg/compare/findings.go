package compare

import (
	"cmp"
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
	changes     []Change
	incomplete  map[inventory.Gap]bool
	assumptions map[inventory.Gap]bool
}

func newFindings() *findings {
	return &findings{
		objects: map[simulate.ObjectRef]bool{}, requesters: map[authorization.Subject]Requester{}, writable: map[authorization.Subject]int{},
		incomplete: map[inventory.Gap]bool{}, assumptions: map[inventory.Gap]bool{},
	}
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
	slices.SortStableFunc(f.changes, compareChanges)
	r := Report{
		APIVersion:  simulate.APIVersion,
		Kind:        "ComparisonReport",
		Server:      tomorrow.Inventory().Server(),
		Requesters:  f.counted(),
		Changes:     f.changes,
		Incomplete:  simulate.AddGaps(incomplete, sortedGaps(f.incomplete)),
		Assumptions: sortedGaps(f.assumptions),
	}
	r.Summary = f.summary()
	return r
}

// counted are the requesters in their stable order, with what each may write, loses and gains.
func (f *findings) counted() []Requester {
	loses, gains := map[authorization.Subject]int{}, map[authorization.Subject]int{}
	for _, c := range f.changes {
		switch {
		case c.Loses():
			loses[c.Requester]++
		case c.Gains():
			gains[c.Requester]++
		}
	}
	list := slices.SortedFunc(maps.Values(f.requesters), func(a, b Requester) int { return compareSubjects(a.Subject, b.Subject) })
	for i := range list {
		subject := list[i].Subject
		list[i].Objects, list[i].Loses, list[i].Gains = f.writable[subject], loses[subject], gains[subject]
	}
	return list
}

func compareChanges(a, b Change) int {
	return cmp.Or(
		cmp.Compare(a.Object.Namespace, b.Object.Namespace), cmp.Compare(a.Object.Kind, b.Object.Kind), cmp.Compare(a.Object.Name, b.Object.Name),
		cmp.Compare(a.Object.APIVersion, b.Object.APIVersion), compareSubjects(a.Requester, b.Requester),
		cmp.Compare(a.Subresource, b.Subresource), cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Key, b.Key),
	)
}

func sortedGaps(gaps map[inventory.Gap]bool) []inventory.Gap {
	sorted := slices.SortedFunc(maps.Keys(gaps), func(a, b inventory.Gap) int {
		return cmp.Or(cmp.Compare(a.What, b.What), cmp.Compare(a.Why, b.Why))
	})
	return append([]inventory.Gap{}, sorted...)
}

func (f *findings) summary() Summary {
	changed, unknown := map[simulate.ObjectRef]bool{}, map[simulate.ObjectRef]bool{}
	losing, gaining := map[authorization.Subject]bool{}, map[authorization.Subject]bool{}
	s := Summary{Objects: len(f.objects), Effects: map[Effect]int{NewlyBlocked: 0, NewlyStripped: 0, NewlyAllowed: 0, Otherwise: 0, Unknown: 0}}
	for _, c := range f.changes {
		s.Effects[c.Effect]++
		if c.Effect == Unknown {
			unknown[c.Object] = true
			continue
		}
		changed[c.Object] = true
		if c.Loses() {
			s.Prevented++
		}
		if f.requesters[c.Requester].Nobody {
			continue
		}
		if c.Loses() {
			losing[c.Requester] = true
		}
		if c.Gains() {
			gaining[c.Requester] = true
		}
	}
	s.Changed, s.Unknown = len(changed), len(unknown)
	s.Losing, s.Gaining = slices.SortedFunc(maps.Keys(losing), compareSubjects), slices.SortedFunc(maps.Keys(gaining), compareSubjects)
	return s
}
