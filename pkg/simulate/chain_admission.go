package simulate

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

func (c *chain) mutate(ctx context.Context) (runtime.Object, bool) {
	r := c.policyRequest(c.request.Proposed, c.unknownParts())
	c.result.Assumptions = append(c.result.Assumptions, c.simulator.set.Webhooks(ctx, r)...)
	mutated, verdict := c.simulator.set.Mutate(ctx, r)
	c.add(policy.PhaseMutating, verdict)
	if verdict.Disorder != nil {
		c.result.Disorder = verdict.Disorder
	}
	if verdict.Uncertain {
		c.uncertain = true
	} else if len(verdict.Statuses) > 0 {
		c.fail(verdict.Statuses...)
		return nil, false
	}
	c.mutatedBeyondMetadata = mutated != nil && !sameBeyondMetadata(c.request.Proposed, mutated)
	if c.mutatedBeyondMetadata {
		c.assumeValid()
	}
	return mutated, true
}

// prepare does what the API itself does between mutating and validating admission.
func (c *chain) prepare(mutated runtime.Object) (request.Prepared, bool) {
	prepared, err := request.Prepare(c.request, mutated)
	if err != nil {
		c.result.Incomplete = append(c.result.Incomplete, inventory.Gap{What: "what the API server makes of the object", Why: err.Error()})
		c.unknown()
		return prepared, false
	}
	c.noteDropped(mutated, prepared.Object)
	refused := prepared.Refused
	if refused == nil {
		refused = request.Validate(c.request, prepared.Object)
	}
	if refused == nil {
		return prepared, true
	}
	c.refuse(refused)
	return prepared, false
}

// validate asks the validating policies.
func (c *chain) validate(ctx context.Context, prepared request.Prepared) policy.Verdict {
	unknown := c.unknownParts()
	unknown.Object = prepared.Unknown
	unknown.UndefaultedObject = unknown.UndefaultedObject || c.mutatedBeyondMetadata
	r := c.policyRequest(prepared.Object, unknown)
	r.Name = prepared.Name
	return c.simulator.set.Validate(ctx, r)
}

// settle says whether the request may pass.
func (c *chain) settle(verdict policy.Verdict) bool {
	c.add(policy.PhaseValidating, verdict)
	switch {
	case c.uncertain || verdict.Uncertain || c.simulator.policies.MutationUnread():
		c.unknown()
		return false
	case len(verdict.Statuses) > 0:
		c.block(verdict.Statuses...)
		return false
	case len(c.simulator.policies.Unread) > 0:
		c.unknown()
		return false
	}
	return true
}

func (c *chain) add(phase policy.Phase, verdict policy.Verdict) {
	c.addSteps(phase, verdict)
	c.result.Warnings = append(c.result.Warnings, verdict.Warnings...)
	for key, value := range verdict.AuditAnnotations {
		c.result.AuditAnnotations[key] = value
	}
	c.result.Incomplete = append(c.result.Incomplete, verdict.NotKnown...)
	c.result.Assumptions = AddGaps(c.result.Assumptions, verdict.Assumed)
	for _, name := range verdict.DryRunAsked {
		c.result.Assumptions = append(c.result.Assumptions, inventory.Gap{
			What: name,
			Why:  WhyDryRun,
		})
	}
}

func (c *chain) addSteps(phase policy.Phase, verdict policy.Verdict) {
	for _, step := range c.simulator.withIdle(phase, verdict.Steps) {
		if step.Changes == nil {
			step.Changes = []policy.Change{}
		}
		c.result.Steps = append(c.result.Steps, step)
	}
}

// WhyDryRun is Why of the assumption about a policy that looks at request.dryRun.
const WhyDryRun = "the policy asks whether the request is a dry run; it was simulated as one that is not"
