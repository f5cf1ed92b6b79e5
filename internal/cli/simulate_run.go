package cli

import (
	"context"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// run simulates and reports.
func (o *simulateOptions) run(ctx context.Context) error {
	if o.ask != nil {
		var err error
		if o.requester, err = o.ask(ctx); err != nil {
			return err
		}
	}
	simulator, err := newSimulator(ctx, &o.state, &o.proposed)
	if err != nil {
		return err
	}
	trial := &trial{simulator: simulator, options: simulate.Options{Explain: o.explain}}
	if err := o.try(ctx, trial); err != nil {
		return err
	}
	results, gaps := trial.wait()
	answer := simulate.NewReport(simulator.Inventory(), simulator.Policies(), o.requester, results)
	answer.Incomplete = simulate.AddGaps(answer.Incomplete, gaps)
	return o.report(ctx, &answer, simulator.Policies().Unread)
}

// newSimulator reads the state and compiles the policies.
func newSimulator(ctx context.Context, state *stateFlags, proposed *proposedFlags) (*simulate.Simulator, error) {
	inv, err := state.load(ctx)
	if err != nil {
		return nil, err
	}
	if inv, err = proposed.apply(ctx, inv, state.stdin); err != nil {
		return nil, err
	}
	return simulate.New(ctx, inv, inv.Policies())
}

// try puts a request for every object to the trial.
func (o *simulateOptions) try(ctx context.Context, trial *trial) error {
	if o.manifests.given() {
		return o.tryManifests(ctx, trial)
	}
	found, err := o.selection.find(ctx, trial.simulator.Inventory(), &o.state)
	if err != nil {
		return err
	}
	for object, err := range found {
		if err != nil {
			trial.leaveOut(err)
			continue
		}
		r, err := request.Annotate(o.requester, object, o.change.change, o.change.options())
		if err != nil {
			return err
		}
		trial.start(ctx, r)
	}
	return nil
}

// tryManifests puts the objects of -f or -k to the trial. One that kubectl would not send is left out.
func (o *simulateOptions) tryManifests(ctx context.Context, trial *trial) error {
	for document, err := range o.manifests.documents(ctx, o.streams.In) {
		if err == nil {
			err = o.state.scope.checkPlace(document)
		}
		if err != nil {
			return err
		}
		if !selects(o.selection.selector, document) {
			continue
		}
		r, err := o.send(ctx, trial.simulator.Inventory(), document)
		if err != nil {
			trial.leaveOut(&unreadError{describeDocument(document), err})
			continue
		}
		trial.start(ctx, r)
	}
	return nil
}

func (o *simulateOptions) send(ctx context.Context, inv inventory.Inventory, document inventory.Document) (request.Request, error) {
	object := document.Object.DeepCopy()
	o.change.change.ApplyTo(object)
	return request.Send(ctx, inv, o.requester, object, o.manifests.way, o.state.scope.home, o.change.options())
}

// report prints the report and says how the run ends.
func (o *simulateOptions) report(ctx context.Context, answer *simulate.Report, unread []inventory.Gap) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	options := o.output.options(o.streams.Out)
	options.Explain = o.explain
	if err := o.outputs.Write(o.streams.Out, answer, options); err != nil {
		return err
	}
	remarks := remarksBeside(o.outputs, &o.output, o.streams.ErrOut)
	remarks.incomplete(answer.Incomplete, unread)
	if answer.Summary.Objects == 0 && len(answer.Incomplete) == 0 {
		remarks.say("No objects match what was asked for.")
	}
	summary := answer.Summary
	return o.output.settled(conclusion{
		incomplete: answer.Incomplete, assumptions: answer.Assumptions,
		unknown: summary.Unknown, found: summary.Blocked > 0 || summary.Altered > 0,
	})
}
