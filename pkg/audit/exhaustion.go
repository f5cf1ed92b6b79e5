package audit

import (
	"context"

	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// mostJunk is up to how many further annotations an exhausted budget counts. An object may carry twice as many of a few letters (256 KiB), but
// the API server takes half a minute for a request with these already, and gives up after one.
const mostJunk = 20_000

// few further annotations are what is counted.
const few = 50

// exhaustion is how the cost of a policy's expressions grows.
type exhaustion struct {
	part        string
	limit       int64
	annotations int // that reach the limit
}

// exhausting are how many further annotations exhaust the budget of each policy that ignores failures. What few of them cost tells what many do, where the cost
// grows with their number; to make the request with all of them takes the API server's library half a minute.
func (b *burdened) exhausting(ctx context.Context, simulator *simulate.Simulator) (map[policyName]exhaustion, error) {
	nothing, err := b.spent(ctx, simulator, 0, 1)
	if err != nil {
		return nil, err
	}
	glance, err := b.spent(ctx, simulator, few, 3)
	if err != nil || !anyNear(nothing, glance, few) {
		return nil, err
	}
	something, err := b.spent(ctx, simulator, few, 20)
	if err != nil {
		return nil, err
	}
	double, err := b.spent(ctx, simulator, 2*few, 3)
	if err != nil {
		return nil, err
	}
	found := map[policyName]exhaustion{}
	for key, some := range something {
		none, known := nothing[key]
		more, knownToo := double[key]
		p, is := b.view.policyNamed(key.policyName)
		if !known || !knownToo || !is || !p.ignoresFailures {
			continue
		}
		each := float64(some.Spent-none.Spent) / few
		exhausted := more.Spent > more.Budget // and what is more is not counted
		if each <= 0 || !exhausted && float64(more.Spent-some.Spent)/few < each/2 {
			continue // it does not grow with their number
		}
		limit := limitOf(p, some)
		e := exhaustion{part: key.part, limit: limit, annotations: int(float64(limit-none.Spent)/each) + 1}
		if limit > 0 && e.annotations <= mostJunk {
			found[key.policyName] = e
		}
	}
	return found, nil
}

// anyNear says whether anything grows so fast that it may reach a limit.
func anyNear(none, some map[spending]policy.Cost, n int) bool {
	for key, cost := range some {
		if float64(cost.Spent-none[key].Spent)/float64(n)*mostJunk > celconfig.PerCallLimit {
			return true
		}
	}
	return false
}

// limitOf is the cost at which a list of expressions fails as a whole; 0 where that can't be told from what all of them cost. Each of them, and each variable that they
// read, has a limit of its own, and all have a budget. A matchCondition that fails leaves the policy out, but of several validations another one may still deny.
func limitOf(p guardPolicy, cost policy.Cost) int64 {
	each := int64(celconfig.PerCallLimit) * int64(cost.Expressions+len(p.variables))
	if cost.Expressions > 1 && cost.Part == "validations" {
		if each < cost.Budget {
			return 0
		}
		return cost.Budget
	}
	return min(cost.Budget, each)
}
