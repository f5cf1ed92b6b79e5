package cli

import (
	"context"

	"k8s.io/apiserver/pkg/authentication/user"

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
	o.output.announceStdin(o.streams.In, o.streams.ErrOut, o.paths()...)
	if o.compare.on {
		return o.runComparison(ctx)
	}
	inv, err := readState(ctx, &o.state, &o.proposed)
	if err != nil {
		return err
	}
	overlay := inventory.NewOverlay(inv)
	authorizer, err := o.state.authorizer(inv, o.self())
	if err != nil {
		return err
	}
	simulator, err := simulate.NewWithAuthorizer(ctx, overlay, inv.Policies(), authorizer)
	if err != nil {
		return err
	}
	if o.pastAuthorization {
		simulator = simulator.PastAuthorization()
	}
	// The report has every reason, whether or not --explain shows them in the table.
	trial := &trial{simulator: simulator, options: simulate.Options{Explain: true}}
	o.spelling.change = o.change.change
	if o.manifests.given() {
		err = o.tryManifests(ctx, trial, overlay)
	} else {
		err = o.tryObjects(ctx, trial)
	}
	if err != nil {
		return err
	}
	results, gaps := trial.wait()
	answer := simulate.NewReport(inv, inv.Policies(), o.requester, results)
	answer.Incomplete = simulate.AddGaps(answer.Incomplete, gaps)
	if o.pastAuthorization {
		answer.Assumptions = simulate.AddGaps(answer.Assumptions, []inventory.Gap{pastAuthorization})
	}
	return o.report(ctx, &answer, inv)
}

var pastAuthorization = inventory.Gap{
	What: "authorization",
	Why:  "--past-authorization leaves it out; whether the requester may make the request at all was not asked",
}

// newSimulator reads the state and compiles the policies. self is whom the kubeconfig authenticates as, nil where that is not known.
func newSimulator(ctx context.Context, state *stateFlags, proposed *proposedFlags, self user.Info) (*simulate.Simulator, error) {
	inv, err := readState(ctx, state, proposed)
	if err != nil {
		return nil, err
	}
	authorizer, err := state.authorizer(inv, self)
	if err != nil {
		return nil, err
	}
	return simulate.NewWithAuthorizer(ctx, inv, inv.Policies(), authorizer)
}

// readState reads the state with the policies proposed in it.
func readState(ctx context.Context, state *stateFlags, proposed *proposedFlags) (inventory.Inventory, error) {
	inv, err := state.load(ctx)
	if err != nil {
		return nil, err
	}
	return proposed.apply(ctx, inv, state.stdin)
}

// tryObjects puts a request for every object selected to the trial.
func (o *simulateOptions) tryObjects(ctx context.Context, trial *trial) error {
	found, err := o.selection.find(ctx, trial.simulator.Inventory(), &o.state)
	if err != nil {
		return err
	}
	return o.tryEach(ctx, trial, found)
}

func (o *simulateOptions) tryEach(ctx context.Context, trial *trial, found objects) error {
	for object, err := range found {
		if err != nil {
			trial.leaveOut(err)
			continue
		}
		r, err := request.Annotate(o.requester, object, o.change.change, o.change.options())
		if err != nil {
			return err
		}
		o.spelling.see(object.Kind, object.Meta())
		trial.start(ctx, r)
	}
	if trial.empty() && ctx.Err() == nil {
		return o.selection.nothing(o.state.scope)
	}
	return nil
}

// tryManifests puts the objects of -f or -k to the trial.
func (o *simulateOptions) tryManifests(ctx context.Context, trial *trial, overlay *inventory.Overlay) error {
	documents, err := o.readDocuments(ctx, overlay.Kinds())
	if err != nil {
		return err
	}
	return o.trySequence(ctx, trial, overlay, documents)
}

func (o *simulateOptions) trySequence(ctx context.Context, trial *trial, overlay *inventory.Overlay, documents []inventory.Document) error {
	s := &sequence{options: o, trial: trial, overlay: overlay, documents: documents, doubtful: map[string]inventory.Gap{}}
	return s.run(ctx)
}
