package audit

import (
	"context"
	"fmt"
	"maps"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// mostJunk is up to how many further annotations an exhausted budget counts. An object may carry twice as many of a few letters (256 KiB), but
// the API server takes half a minute for a request with these already, and gives up after one.
const mostJunk = 20_000

// junkKey is the key of a further annotation.
func junkKey(i int) string { return fmt.Sprintf("j/%d", i) }

// withJunk is the probe with as many further annotations: set by the same request, or there before.
func (p Probe) withJunk(n int, before bool) Probe {
	junk := map[string]string{}
	for i := range n {
		junk[junkKey(i+1)] = ""
	}
	if before {
		p.Object = withAnnotations(p.Object, request.Change{Set: junk})
		return p
	}
	set := maps.Clone(p.Change.Set)
	if set == nil {
		set = map[string]string{}
	}
	maps.Copy(set, junk)
	p.Change.Set = set
	return p
}

// spending is what a policy's matchConditions or validations cost one request.
type spending struct {
	policyName
	part string
}

// spent makes a probe several times with as many further annotations, and returns the least that each policy's expressions cost. CEL goes
// through a map in any order and stops where it may, so that the cost is not the same every time.
func (b *burdened) spent(ctx context.Context, simulator *simulate.Simulator, n int) (map[spending]policy.Cost, error) {
	times := 3
	if n == 0 {
		times = 1
	}
	r, err := b.probe.withJunk(n, b.before).Request(OrdinaryUser(), "")
	if err != nil {
		return nil, nil //nolint:nilerr // there is no such request of this object
	}
	least := map[spending]policy.Cost{}
	for range times {
		metered, meter := policy.WithMeter(ctx)
		simulator.Run(metered, r, simulate.Options{})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, cost := range meter.Costs() {
			at := spending{policyName{cost.Kind, cost.Policy}, cost.Part}
			if seen, found := least[at]; !found || cost.Spent < seen.Spent {
				least[at] = cost
			}
		}
	}
	return least, nil
}

// burdened is a probe to which further annotations are put.
type burdened struct {
	view   *view
	probe  Probe
	before bool
}

// exhausting are how many further annotations exhaust the budget of each policy that ignores failures. What few of them cost tells what many do, where the cost
// grows with their number; to make the request with all of them takes the API server's library half a minute.
func (b *burdened) exhausting(ctx context.Context, simulator *simulate.Simulator) (map[policyName]exhaustion, error) {
	const few = 100
	var at [3]map[spending]policy.Cost
	for i := range at {
		var err error
		if at[i], err = b.spent(ctx, simulator, i*few); err != nil {
			return nil, err
		}
		if i == 1 && !anyNear(at[0], at[1], few) {
			return nil, nil
		}
	}
	found := map[policyName]exhaustion{}
	for key, some := range at[1] {
		none, known := at[0][key]
		more, knownToo := at[2][key]
		p, is := b.view.policyNamed(key.policyName)
		if !known || !knownToo || !is || !ignoresFailures(p) {
			continue
		}
		each := float64(some.Spent-none.Spent) / few
		exhausted := more.Spent > more.Budget // and what is more is not counted
		if each <= 0 || !exhausted && float64(more.Spent-some.Spent)/few < each*0.9 {
			continue // it does not grow
		}
		limit := limitOf(p, some)
		e := exhaustion{part: key.part, each: each, limit: limit, annotations: int(float64(limit-none.Spent)/each) + 1}
		if limit > 0 && e.annotations <= mostJunk {
			found[key.policyName] = e
		}
	}
	return found, nil
}

// exhaustion is how the cost of a policy's expressions grows.
type exhaustion struct {
	part        string
	each        float64 // for each further annotation
	limit       int64
	annotations int // that reach the limit
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
	each := int64(celconfig.PerCallLimit) * int64(cost.Expressions+variablesOf(p))
	if cost.Expressions > 1 && cost.Part == "validations" {
		if each < cost.Budget {
			return 0
		}
		return cost.Budget
	}
	return min(cost.Budget, each)
}

func variablesOf(p guardPolicy) int {
	switch object := p.object.(type) {
	case *admissionregistrationv1.ValidatingAdmissionPolicy:
		return len(object.Spec.Variables)
	case *admissionregistrationv1.MutatingAdmissionPolicy:
		return len(object.Spec.Variables)
	}
	return 0
}

func ignoresFailures(p guardPolicy) bool {
	var failurePolicy *admissionregistrationv1.FailurePolicyType
	switch object := p.object.(type) {
	case *admissionregistrationv1.ValidatingAdmissionPolicy:
		failurePolicy = object.Spec.FailurePolicy
	case *admissionregistrationv1.MutatingAdmissionPolicy:
		failurePolicy = object.Spec.FailurePolicy
	}
	return failurePolicy != nil && *failurePolicy == admissionregistrationv1.Ignore
}

// leavingOut are policies but for some.
func leavingOut(all *inventory.Policies, gone func(policyName) bool) *inventory.Policies {
	left := *all
	left.Validating, left.Mutating = nil, nil
	for _, p := range all.Validating {
		if !gone(policyName{kindValidating, p.Name}) {
			left.Validating = append(left.Validating, p)
		}
	}
	for _, p := range all.Mutating {
		if !gone(policyName{kindMutating, p.Name}) {
			left.Mutating = append(left.Mutating, p)
		}
	}
	return &left
}
