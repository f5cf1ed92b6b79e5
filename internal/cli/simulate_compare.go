package cli

import (
	"context"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/compare"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// runComparison simulates the same requests with the policies of today and tomorrow, for each requester.
func (o *simulateOptions) runComparison(ctx context.Context) error {
	run, err := newComparison(ctx, &o.state, &o.proposed, o.self())
	if err != nil {
		return err
	}
	proposal, err := o.readProposal(ctx, run.today.Inventory())
	if err != nil {
		return err
	}
	s := &sideBySide{options: o, run: run, proposal: proposal}
	if err := s.tryNamed(ctx); err != nil {
		return err
	}
	if o.compare.requesters == live {
		if err := s.tryHolders(ctx); err != nil {
			return err
		}
	}
	answer := compare.Requests(run.today, run.tomorrow, s.tried, s.gaps)
	answer.Assumptions = simulate.AddGaps(answer.Assumptions, s.assumptions)
	if o.pastAuthorization {
		answer.Assumptions = simulate.AddGaps(answer.Assumptions, []inventory.Gap{pastAuthorization})
	}
	return o.compare.report(ctx, o.streams, &answer, &o.output, run)
}

// changeProposed is what is put to every trial of a comparison: read once, since standard input can't be read again.
type changeProposed struct {
	documents []inventory.Document
	objects   []found
}

func (o *simulateOptions) readProposal(ctx context.Context, inv inventory.Inventory) (p changeProposed, err error) {
	if o.manifests.given() {
		p.documents, err = o.readDocuments(ctx, inv.Kinds())
		return p, err
	}
	objects, err := o.selection.find(ctx, inv, &o.state)
	if err != nil {
		return p, err
	}
	for object, err := range objects {
		p.objects = append(p.objects, found{object, err})
	}
	return p, nil
}

// all yields the objects again.
func (p changeProposed) all(yield func(inventory.Object, error) bool) {
	for _, one := range p.objects {
		if !yield(one.object, one.err) {
			return
		}
	}
}
