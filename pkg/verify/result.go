package verify

import (
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// newResult has the simulation's side.
func newResult(simulation simulate.Result) Result {
	return Result{
		Object: simulation.Object, Operation: simulation.Operation, Verb: simulation.Verb, Subresource: simulation.Subresource,
		Changes: changes(simulation), Simulated: simulated(simulation), Differences: []Difference{},
		Steps: simulation.Steps, simulation: simulation,
	}
}

func (r Result) agreed() Result {
	r.Agreement, r.Steps = Agrees, []policy.Step{}
	return r
}

func (r Result) not(agreement Agreement, why string) Result {
	r.Agreement, r.Why = agreement, why
	return r
}

// moreToSend is what of a request can't be asked.
func moreToSend(r Result) inventory.Gap {
	return inventory.Gap{
		What: r.describe() + ": what kubectl sends after the first request",
		Why:  "kubectl apply --server-side takes the object over from client-side apply in further requests, which build on what the first one stores; a dry run stores nothing",
	}
}
