package audit

import (
	"context"
	"maps"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// ordered is what a probe comes to in one order of the mutating policies.
type ordered struct {
	order      policy.Order
	result     simulate.Result
	protection Protection
}

// inEachOrder tries a probe again in each order of the mutating policies that leaves another object. The API server takes any of them.
// So the probe is only as well guarded as in the weakest, and where the change is prevented in one order and
// passes in another, or some order's result is not known, nothing is known.
func (t *trier) inEachOrder(ctx context.Context, r request.Request, probe tried, controlled *controls) tried {
	disorder := probe.result.Disorder
	known, prevented, passed := disorder.Whole, false, false
	weakest := probe
	for _, order := range disorder.Orders {
		one := tried{Probe: probe.Probe, result: t.simulator.Run(ctx, r, simulate.Options{Order: order})}
		j := judge{probe: probe.Probe, result: one.result, controls: controlled.in(order)}
		one.protection, one.acting, one.why = j.protection(ctx)
		probe.orders = append(probe.orders, ordered{order, one.result, one.protection})
		known = known && one.protection != ProtectionUnknown
		prevented = prevented || one.protection.Prevents()
		passed = passed || passes(one.protection)
		if len(probe.orders) == 1 || slices.Index(strengths, one.protection) < slices.Index(strengths, weakest.protection) {
			weakest = one
		}
	}
	if known && prevented != passed {
		probe.protection, probe.acting = weakest.protection, weakest.acting
	}
	return probe
}

// in returns the same controls for another order of mutating policies.
func (c *controls) in(order policy.Order) *controls {
	return &controls{trier: c.trier, object: c.object, order: order}
}

// outcome is what one order comes to, for a comparison: whether the request passes, and then the annotations that are stored. It is not
// known of a result that is not.
func (o ordered) outcome() (stored map[string]string, refused, known bool) {
	stored = map[string]string{}
	for _, a := range o.result.Annotations {
		if a.After != nil {
			stored[a.Key] = *a.After
		}
	}
	refused = o.result.Outcome == simulate.Blocked
	return stored, refused, o.result.Outcome != simulate.Unknown
}

// differs says whether two orders come to different things for certain.
func (o ordered) differs(other ordered) bool {
	stored, refused, known := o.outcome()
	otherStored, otherRefused, otherKnown := other.outcome()
	return known && otherKnown && (refused != otherRefused || !refused && !maps.Equal(stored, otherStored))
}

// twoOrders returns two orders in which a probe comes to different things.
func (t tried) twoOrders() (a, b ordered, found bool) {
	for i, a := range t.orders {
		for _, b := range t.orders[i+1:] {
			if a.differs(b) {
				return a, b, true
			}
		}
	}
	return a, b, false
}
