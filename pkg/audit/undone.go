package audit

import (
	"maps"
	"slices"
)

// undoing are the changes that a mutating policy takes back, of those of all kinds.
type undoing struct {
	stops   []*stop
	columns map[Column]bool
	kinds   map[string]bool
}

// undoing finds them; there are none where the policy takes nothing back, or something that fits.
func (v *view) undoing(p guardPolicy, fits func(*stop) bool) *undoing {
	found := &undoing{columns: map[Column]bool{}, kinds: map[string]bool{}}
	if p.kind != kindMutating {
		return found
	}
	for _, s := range v.stops(p.policyName) {
		if s.protection != ProtectionBlocked && fits(s) {
			found.stops = append(found.stops, s)
			found.columns[s.Column] = true
			found.kinds[typeOf(s.object.Kind)] = true
		}
	}
	return found
}

// what names the changes: additions and edits of deployments.apps and jobs.batch.
func (u *undoing) what() string {
	var changes []string
	for _, column := range Columns() {
		if u.columns[column] {
			changes = append(changes, changesOf[column])
		}
	}
	return enumerate(changes) + " of " + enumerate(slices.Sorted(maps.Keys(u.kinds)))
}

// shown is the best of them as an example.
func (u *undoing) shown() example {
	var best *example
	for _, s := range u.stops {
		e := exampleOf(s.tried)
		best = lesser(best, &e)
	}
	return *best
}
