package simulate

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// WhyDryRun is Why of the assumption about a policy that looks at request.dryRun.
const WhyDryRun = "the policy asks whether the request is a dry run; it was simulated as one that is not"

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

func (c *chain) addSteps(phase policy.Phase, verdict policy.Verdict) {
	for _, step := range c.simulator.withIdle(phase, verdict.Steps) {
		if step.Changes == nil {
			step.Changes = []policy.Change{}
		}
		c.result.Steps = append(c.result.Steps, step)
	}
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

// policyRequest is the request as policies see it, with the object as it stands at this point.
func (c *chain) policyRequest(object runtime.Object, unknown policy.Unknown) policy.Request {
	r := c.request
	kind := r.Kind
	kind.Kind = r.ObjectKind
	return policy.Request{
		Kind:            kind,
		Operation:       r.Operation,
		Subresource:     r.Subresource,
		Namespace:       r.Namespace,
		Name:            r.Name,
		Object:          object,
		OldObject:       r.Before,
		Options:         r.Options,
		User:            r.Requester.User(),
		Unknown:         unknown,
		NamespaceUnread: c.namespaceUnread,
		Order:           c.options.Order,
		Explain:         c.options.Explain,
	}
}

func isNamespace(kind inventory.Kind) bool {
	return kind.Kind.Group == "" && kind.Kind.Kind == "Namespace"
}

// unknownParts are the parts of the request's objects that nobody can know.
func (c *chain) unknownParts() policy.Unknown {
	r := c.request
	return policy.Unknown{
		Object:               r.UnknownProposed,
		OldObject:            r.UnknownBefore,
		UndefaultedObject:    r.UndefaultedProposed,
		UndefaultedOldObject: r.UndefaultedBefore,
		Redacted:             len(r.Redacted) > 0,
	}
}
