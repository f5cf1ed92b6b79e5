package audit

import (
	"context"

	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// trier puts probes to a simulator in the name of one requester. It is safe for concurrent use.
type trier struct {
	simulator   *simulate.Simulator
	requester   request.Requester
	subresource string
	// related are the policies that may have to do with annotations.
	related map[policyName]bool
}

// tried is a probe with what came of it.
type tried struct {
	Probe
	result     simulate.Result
	protection Protection
	// acting are the steps that made it so on account of the annotation: of those that prevented, warned or audited.
	acting []policy.Step
	// failures are the policies that fail on it and let it through.
	failures []failure
	// why says of an Unknown what kept it from being known, where the simulation itself was certain.
	why string
	// orders are what came of it in each order of the mutating policies that has a result of its own; none where the order does
	// not matter, which is where result is what the API server would do.
	orders []ordered
}

// try tries every probe of an object; through a subresource there is no creation.
func (t *trier) try(ctx context.Context, object inventory.Object) []tried {
	controls := &controls{trier: t, object: object}
	var all []tried
	for _, probe := range Probes(object) {
		if t.subresource != "" && probe.Column == ColumnCreate {
			continue
		}
		all = append(all, t.tryProbe(ctx, probe, controls))
	}
	return all
}

func (t *trier) tryProbe(ctx context.Context, probe Probe, controls *controls) tried {
	r, err := probe.Request(t.requester, t.subresource)
	if err != nil {
		return tried{Probe: probe, protection: ProtectionUnknown, why: err.Error()}
	}
	one := tried{Probe: probe, result: t.simulator.Run(ctx, r, simulate.Options{})}
	j := judge{probe: probe, result: one.result, controls: controls}
	one.protection, one.acting, one.why = j.protection(ctx)
	one.failures = j.failures(ctx, one.protection)
	if one.result.Disorder != nil {
		return t.inEachOrder(ctx, r, one, controls)
	}
	return one
}

// controls are the requests that a probe is compared with: the same ones on the same object, but without any annotation of
// the downscaler's and without a change of one. What becomes of a control is no doing of the guard. They
// are run when they are first asked for.
type controls struct {
	trier          *trier
	object         inventory.Object
	order          policy.Order // of the mutating policies; nil: that of their names
	create, update *simulate.Result
}

// of returns the result of a probe's control, nil if there is no such request.
func (c *controls) of(ctx context.Context, column Column) *simulate.Result {
	kept, operation := &c.update, admission.Update
	if column == ColumnCreate {
		kept, operation = &c.create, admission.Create
	}
	if *kept == nil {
		*kept = c.run(ctx, operation)
	}
	return *kept
}

func (c *controls) run(ctx context.Context, operation admission.Operation) *simulate.Result {
	object := stripped(c.object, keysOf(c.object))
	options := request.Options{Operation: operation, Subresource: c.trier.subresource}
	r, err := request.Annotate(c.trier.requester, object, request.Change{}, options)
	if err != nil {
		return nil
	}
	result := c.trier.simulator.Run(ctx, r, simulate.Options{Order: c.order})
	return &result
}

func keysOf(object inventory.Object) []string {
	var keys []string
	for key := range guardedAnnotations(object.Meta()) {
		keys = append(keys, key)
	}
	return keys
}
