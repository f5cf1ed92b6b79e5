package simulate

import (
	"context"
	"errors"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// NoRBAC is the assumption about files that don't say who may do what.
var NoRBAC = inventory.Gap{
	What: "authorization",
	Why:  "the files hold no roles and no bindings, so that RBAC was not asked; every request was taken as authorized",
}

// authorize asks whether the requester may make the request at all. It returns a denial, nil where there is none, and leaves a step
// where there is an answer or ought to be one.
func (c *chain) authorize(ctx context.Context) *authorization.Decision {
	if c.simulator.pastAuthorization || c.request.NoRequest {
		return nil
	}
	decision, err := c.simulator.authorizer.Check(ctx, c.request)
	unknown := (*authorization.UnknownError)(nil)
	switch {
	case errors.As(err, &unknown):
		c.unauthorize(inventory.Gap{What: unknown.What, Why: unknown.Why()})
		return nil
	case errors.Is(err, authorization.ErrNoRBAC):
		c.result.Assumptions = append(c.result.Assumptions, NoRBAC)
		return nil
	case err != nil:
		c.unauthorize(inventory.Gap{What: "authorization", Why: err.Error()})
		return nil
	}
	c.result.Assumptions = append(c.result.Assumptions, decision.Assumptions...)
	step := authorizationStep(decision.Source, policy.Admitted, decision.Reason)
	if !decision.Allowed {
		step.Decision, step.Message = policy.Denied, decision.Status.Message
	}
	c.result.Steps = append(c.result.Steps, step)
	if decision.Allowed {
		return nil
	}
	return &decision
}

// unauthorize notes that nobody could tell. What refuses the request later refuses it all the same; it can't be known to pass.
func (c *chain) unauthorize(gap inventory.Gap) {
	c.unauthorized = true
	c.result.Incomplete = append(c.result.Incomplete, gap)
	message := "not simulated: " + gap.What + " is not known: " + gap.Why
	c.result.Steps = append(c.result.Steps, authorizationStep(authorization.SourceUnknown, policy.NotSimulated, message))
}

func authorizationStep(source authorization.Source, decision policy.Decision, message string) policy.Step {
	return policy.Step{
		Phase: policy.PhaseAuthorization, Kind: string(source), Decision: decision, Message: message, Changes: []policy.Change{},
	}
}

// forbid ends the chain with a denial before anything else of it. The rest is tried all the same, and leaves its steps and nothing
// else: no webhook is called, nobody gets the warnings, and what is not known can't reverse the answer.
func (c *chain) forbid(ctx context.Context, denied *authorization.Decision) {
	behind := &chain{simulator: c.simulator.PastAuthorization(), options: c.options, request: c.request, before: c.before, result: newResult(c.request)}
	behind.send(ctx)
	c.block(*denied.Status)
	c.result.Steps = append(c.result.Steps, behind.result.Steps...)
}

// forbidCreation ends the chain with a denial just before the validating policies, which leave their steps: a patch or an update that
// would create is asked for the right to create only then (k8s.io/apiserver pkg/endpoints/handlers/update.go, withAuthorization).
func (c *chain) forbidCreation(denied *authorization.Decision, verdict policy.Verdict) {
	c.fail(*denied.Status)
	c.addSteps(policy.PhaseValidating, verdict)
}
