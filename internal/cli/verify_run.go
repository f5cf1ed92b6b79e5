package cli

import (
	"context"
	"errors"
	"slices"

	"k8s.io/client-go/rest"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/verify"
)

// inquiry is a run of verify: the questions under way, and what can't be asked.
type inquiry struct {
	batch       verify.Batch
	inventory   inventory.Inventory
	gaps        []inventory.Gap
	assumptions []inventory.Gap
}

// run asks and reports.
func (o *verifyOptions) run(ctx context.Context) error {
	if o.ask.ask != nil {
		var err error
		if o.ask.requester, err = o.ask.ask(ctx); err != nil {
			return err
		}
	}
	o.ask.output.announceStdin(o.ask.streams.In, o.ask.streams.ErrOut, o.ask.paths()...)
	o.ask.state.progress = o.ask.output.newProgress(o.ask.streams.ErrOut, forPeople(o.outputs))
	defer o.ask.state.progress.done()
	simulator, err := newSimulator(ctx, &o.ask.state, &o.ask.proposed, o.ask.self())
	if err != nil {
		return err
	}
	config, err := o.ask.state.cluster.config()
	if err != nil {
		return err
	}
	verifier, err := o.verifier(config, simulator)
	if err != nil {
		return err
	}
	i := &inquiry{batch: verify.Batch{Verifier: verifier}, inventory: simulator.Inventory()}
	err = o.put(ctx, i)
	results := i.batch.Wait()
	if err != nil {
		return err
	}
	o.ask.state.progress.done()
	answer := verify.NewReport(i.inventory, o.ask.requester, results)
	answer.Incomplete = simulate.AddGaps(answer.Incomplete, i.gaps)
	answer.Assumptions = simulate.AddGaps(answer.Assumptions, i.assumptions)
	return o.report(ctx, &answer, simulator.Policies().Unread)
}

func (o *verifyOptions) verifier(config *rest.Config, simulator *simulate.Simulator) (*verify.Verifier, error) {
	options := verify.Options{Explain: o.ask.explain, Impersonate: &o.ask.requester}
	if o.ask.ask != nil {
		options.Impersonate = nil
	}
	return verify.New(config, simulator, options)
}

// put puts every question.
func (o *verifyOptions) put(ctx context.Context, i *inquiry) error {
	if o.ask.manifests.given() {
		return o.putManifests(ctx, i)
	}
	found, err := o.ask.selection.find(ctx, i.inventory, &o.ask.state)
	if err != nil {
		return err
	}
	for object, err := range found {
		if err != nil {
			i.gaps = append(i.gaps, gapOf(err))
			continue
		}
		if o.guards {
			o.putProbes(ctx, i, object)
			continue
		}
		err := i.aboutObject(ctx, object, false, func(object inventory.Object) (request.Request, error) {
			return request.Annotate(o.ask.requester, object, o.ask.change.change, o.ask.change.options())
		})
		if err != nil {
			return err
		}
	}
	if i.batch.Empty() && len(i.gaps) == 0 && ctx.Err() == nil {
		return o.ask.selection.nothing(o.ask.state.scope)
	}
	return nil
}

func (i *inquiry) aboutObject(ctx context.Context, object inventory.Object, guard bool, change func(inventory.Object) (request.Request, error)) error {
	q, err := verify.AboutObject(i.inventory, object, change)
	if err != nil {
		return err
	}
	q.Guard = guard
	i.batch.Start(ctx, q)
	return nil
}

// unaskable are the probes that no dry run can put.
var unaskable = inventory.Gap{
	What: "guard against editing and removing an annotation that an object does not carry",
	Why:  "a dry run changes what is stored, so that only annotations that are there can be edited and removed; verified are those, and adding one",
}

// putProbes asks what an object's guard is tried with.
func (o *verifyOptions) putProbes(ctx context.Context, i *inquiry, object inventory.Object) {
	for _, probe := range audit.Probes(object) {
		if probe.Copied && probe.Column != audit.ColumnCreate {
			i.assumptions = simulate.AddGaps(i.assumptions, []inventory.Gap{unaskable})
			continue
		}
		err := i.aboutObject(ctx, object, true, func(object inventory.Object) (request.Request, error) {
			same := func(p audit.Probe) bool { return p.Column == probe.Column && p.Key == probe.Key }
			probes := audit.Probes(object)
			at := slices.IndexFunc(probes, same)
			if at < 0 {
				return request.Request{}, errors.New("the annotation is there no more")
			}
			return probes[at].Request(o.ask.requester, "")
		})
		if err != nil {
			what := "guard of " + describe(object.Kind, object.Meta().GetNamespace(), object.Meta().GetName())
			i.gaps = append(i.gaps, inventory.Gap{What: what, Why: err.Error()})
		}
	}
}
