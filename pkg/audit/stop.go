package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// stop is a change that the guard prevents for the ordinary user, kept so that it can be made again by somebody else, or on the same object
// with something changed in it.
type stop struct {
	tried
	object inventory.Object // as it is stored
}

// stopKey tells stops apart: one is kept of each kind of change of each kind of object for all the policies that prevent it together.
type stopKey struct {
	kind   string
	column Column
	by     string
}

// stops keeps what is prevented of one object.
func (g *gathered) noteStops(object inventory.Object, all []tried) {
	for _, t := range all {
		if !t.protection.Prevents() || len(t.acting) == 0 || len(t.orders) > 0 {
			continue
		}
		g.keepStop(stopKey{typeOf(object.Kind), t.Column, fmt.Sprint(policiesOf(t.acting))}, &stop{tried: t, object: object})
	}
}

// keepStop keeps the change that a command can repeat, and of two such that of the first object by name.
func (g *gathered) keepStop(key stopKey, s *stop) {
	kept := g.stops[key]
	if kept == nil || exampleOf(s.tried).compare(exampleOf(kept.tried)) < 0 {
		g.stops[key] = s
	}
}

// stops are the changes that a policy has a part in preventing, by kind of object and of change.
func (v *view) stops(p policyName) []*stop {
	var found []*stop
	for _, s := range v.gathered.stops {
		if slices.Contains(policiesOf(s.acting), p) {
			found = append(found, s)
		}
	}
	slices.SortFunc(found, func(a, b *stop) int {
		return cmp.Or(
			compareBool(exampleOf(a.tried).onCopy(), exampleOf(b.tried).onCopy()),
			cmp.Compare(typeOf(a.object.Kind), typeOf(b.object.Kind)),
			exampleOf(a.tried).compare(exampleOf(b.tried)),
			cmp.Compare(fmt.Sprint(policiesOf(a.acting)), fmt.Sprint(policiesOf(b.acting))),
		)
	})
	return found
}

// telling are the stops of a policy without those that only differ in the kind of object: what matters is who asks.
func (v *view) telling(p policyName) []*stop {
	var found []*stop
	seen := map[stopKey]bool{}
	for _, s := range v.stops(p) {
		key := stopKey{column: s.Column, by: fmt.Sprint(policiesOf(s.acting))}
		if !seen[key] {
			seen[key] = true
			found = append(found, s)
		}
	}
	return found
}

// letThroughAs makes the prevented changes in somebody else's name and returns the first that passes. Where none does and it is not known of one whether it
// would, the report says so.
func (v *view) letThroughAs(ctx context.Context, stops []*stop, who request.Requester) (*tried, bool) {
	t := *v.trier("")
	t.requester = who
	var unknown []inventory.Gap
	for _, s := range stops {
		one := t.tryProbe(ctx, s.Probe, &controls{trier: &t, object: s.object})
		if passes(one.protection) && len(one.orders) == 0 {
			return &one, true
		}
		unknown = append(unknown, one.gaps(s.object, "")...)
	}
	for _, gap := range unknown {
		v.gathered.incomplete[inventory.Gap{What: fmt.Sprintf("whether the guard lets %s through", who.Username), Why: gap.Why}] = true
	}
	return nil, false
}
