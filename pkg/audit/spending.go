package audit

import (
	"context"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// burdened is a probe to which further annotations are put.
type burdened struct {
	view   *view
	probe  Probe
	before bool
}

// spending is what a policy's matchConditions or validations cost one request.
type spending struct {
	policyName
	part string
}

// spent makes a probe with as many further annotations and returns what each policy's expressions cost. CEL goes through a map in any order and
// stops where it may, so that the cost is not the same every time: it is the mean of so many requests.
func (b *burdened) spent(ctx context.Context, simulator *simulate.Simulator, n, requests int) (map[spending]policy.Cost, error) {
	r, err := b.probe.withJunk(n, b.before).Request(OrdinaryUser(), "")
	if err != nil {
		return nil, nil //nolint:nilerr // there is no such request of this object
	}
	sums, seen := map[spending]policy.Cost{}, map[spending]int64{}
	for range requests {
		metered, meter := policy.WithMeter(ctx)
		simulator.Run(metered, r, simulate.Options{})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, cost := range meter.Costs() {
			at := spending{policyName{cost.Kind, cost.Policy}, cost.Part}
			cost.Spent += sums[at].Spent
			sums[at] = cost
			seen[at]++
		}
	}
	for at, cost := range sums {
		cost.Spent /= seen[at]
		sums[at] = cost
	}
	return sums, nil
}
