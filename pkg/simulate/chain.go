package simulate

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// chain is one request's way through the API server: authorization, mutating policies, what the API itself prepares
// and validates, validating policies. Webhooks come between; these are told as assumptions.
type chain struct {
	simulator *Simulator
	options   Options
	request   request.Request
	before    runtime.Object // what was stored before the first request
	stored    runtime.Object // what is stored in the end
	result    Result

	namespaceUnread bool
	uncertain       bool
	// unauthorized says that nobody could tell whether the requester is authorized.
	unauthorized bool
	// mutatedBeyondMetadata says that a policy changed the spec or status: fields it added lack the
	// API server's defaults.
	mutatedBeyondMetadata bool
}

// run sends the request, and after it those that kubectl sends once it is stored.
func (c *chain) run(ctx context.Context) {
	for {
		stored, passed := c.send(ctx)
		if !passed {
			return
		}
		next, err := c.next(ctx, stored)
		switch {
		case err != nil:
			c.result.Incomplete = append(c.result.Incomplete, inventory.Gap{What: "what kubectl sends next", Why: err.Error()})
			c.unknown()
			return
		case next == nil:
			c.pass(stored)
			return
		}
		c.request = *next
	}
}

func (c *chain) next(ctx context.Context, stored runtime.Object) (*request.Request, error) {
	if c.request.Next == nil {
		return nil, nil
	}
	return c.request.Next(ctx, stored)
}

// send sends one request through the chain. If the request passes it returns the object that is stored; if not, the
// result says why.
func (c *chain) send(ctx context.Context) (runtime.Object, bool) {
	denied := c.authorize(ctx)
	if denied != nil && !denied.AfterMutation {
		c.forbid(ctx, denied)
		return nil, false
	}
	request.CheckNamespace(ctx, c.simulator.inventory, &c.request)
	c.result.Incomplete = append(c.result.Incomplete, c.request.Incomplete...)
	c.result.Assumptions = append(c.result.Assumptions, c.request.Assumptions...)
	c.uncertain = c.uncertain || len(c.request.Incomplete) > 0
	switch {
	case c.request.NoRequest:
		return c.request.Proposed, true
	case c.request.Refused != nil:
		c.refuse(c.request.Refused)
		return nil, false
	}
	c.readNamespace(ctx)
	mutated, ok := c.mutate(ctx)
	if !ok {
		return nil, false
	}
	prepared, ok := c.prepare(mutated)
	if !ok {
		return nil, false
	}
	verdict := c.validate(ctx, prepared)
	if denied != nil {
		c.forbidCreation(denied, verdict)
		return nil, false
	}
	if !c.settle(verdict) {
		return nil, false
	}
	if c.request.RefusedInStorage != nil {
		c.refuse(c.request.RefusedInStorage)
		return nil, false
	}
	if c.unauthorized {
		c.unknown()
		return nil, false
	}
	return prepared.Object, true
}

// readNamespace notes whether the namespace's labels and annotations are known.
func (c *chain) readNamespace(ctx context.Context) {
	if c.request.Namespace == "" || isNamespace(c.request.Kind) {
		return
	}
	_, err := c.simulator.inventory.Namespace(ctx, c.request.Namespace)
	c.namespaceUnread = err != nil
}

// refuse ends the chain with an answer of the API itself.
func (c *chain) refuse(status *metav1.Status) {
	c.result.Steps = append(c.result.Steps, policy.Step{
		Phase: policy.PhaseValidation, Kind: "API", Decision: policy.Denied, Message: status.Message, Changes: []policy.Change{},
	})
	c.fail(*status)
}

// fail ends the chain with a denial, which is one only as far as what came before is certain.
func (c *chain) fail(statuses ...metav1.Status) {
	if c.uncertain {
		c.unknown()
		return
	}
	c.block(statuses...)
}
