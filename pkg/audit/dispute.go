package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// pair is two runs of mutating policies whose order decides.
type pair struct{ first, second policy.Place }

// dispute is what is known of a pair.
type dispute struct {
	disorder
	shown         *example
	before, after ordered // with the pair's first in front, and behind
}

// dispute finds the two that must not change places. It goes from one order to another that comes to something else by exchanging
// neighbours: one of the exchanges makes the difference.
func (v *view) dispute(ctx context.Context, e example) (pair, *dispute, error) {
	probe, found, err := v.probeAgain(ctx, e)
	if err != nil || !found {
		return pair{}, nil, err
	}
	from, to, found := probe.twoOrders()
	if !found {
		return pair{}, nil, nil
	}
	r, err := probe.Request(OrdinaryUser(), "")
	if err != nil {
		return pair{}, nil, err
	}
	for _, exchange := range from.order.Exchanges(to.order) {
		after := ordered{order: exchange.After, result: v.simulator.Run(ctx, r, simulate.Options{Order: exchange.After})}
		if !from.differs(after) {
			if _, _, known := after.outcome(); known {
				from = after
			}
			continue
		}
		d := &dispute{disorder: *newDisorder(), shown: &e, before: from, after: after}
		at := d.named(pair{exchange.First, exchange.Second})
		return at, d, nil
	}
	return pair{}, nil, nil
}

// probeAgain makes an example's change again; found is false where the object has changed since.
func (v *view) probeAgain(ctx context.Context, e example) (probe tried, found bool, err error) {
	object, err := v.inventory.Get(ctx, e.kind, e.object.Namespace, e.object.Name)
	if err != nil {
		return tried{}, false, fmt.Errorf("reading %s/%s again: %w", typeOf(e.kind), e.object.Name, err)
	}
	probes := Probes(object)
	at := slices.IndexFunc(probes, func(p Probe) bool { return p.Column == e.Column && p.Key == e.Key && p.Copied == e.Copied })
	if at < 0 {
		return tried{}, false, nil
	}
	t := v.trier("")
	return t.tryProbe(ctx, probes[at], &controls{trier: t, object: object}), true, nil
}

// named puts a pair into the order of the names.
func (d *dispute) named(at pair) pair {
	if cmp.Or(cmp.Compare(at.first.Policy, at.second.Policy), cmp.Compare(at.first.Binding, at.second.Binding), cmp.Compare(at.first.Param, at.second.Param)) < 0 {
		return at
	}
	d.before, d.after = d.after, d.before
	return pair{at.second, at.first}
}

// names are what a pair is called by.
func (at pair) names() (first, second string) {
	name := func(p policy.Place) string {
		switch {
		case at.first.Policy != at.second.Policy:
			return kindMutating + " " + p.Policy
		case at.first.Binding != at.second.Binding:
			return fmt.Sprintf("the binding %s of %s %s", p.Binding, kindMutating, p.Policy)
		}
		return fmt.Sprintf("the parameter %s of %s %s", p.Param, kindMutating, p.Policy)
	}
	return name(at.first), name(at.second)
}
