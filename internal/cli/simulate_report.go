package cli

import (
	"context"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// report prints the report and says how the run ends.
func (o *simulateOptions) report(ctx context.Context, answer *simulate.Report, inv inventory.Inventory) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	options := o.output.options(o.streams.Out)
	options.Explain = o.explain
	if err := o.outputs.Write(o.streams.Out, answer, options); err != nil {
		return err
	}
	if err := o.remark(ctx, answer, inv); err != nil {
		return err
	}
	summary := answer.Summary
	return o.output.settled(conclusion{
		incomplete: answer.Incomplete, assumptions: answer.Assumptions,
		unknown: summary.Unknown, found: summary.Blocked > 0 || summary.Altered > 0,
	})
}

// remark says on standard error what is no part of the report: what looks like a mistake, and the way on.
func (o *simulateOptions) remark(ctx context.Context, answer *simulate.Report, inv inventory.Inventory) error {
	remarks := remarksBeside(o.outputs, &o.output, o.streams.ErrOut)
	notes, err := o.policyNotes(ctx, inv)
	if err != nil {
		return err
	}
	remarks.notes(notes)
	remarks.notes(o.spelling.notes())
	if o.ask == nil && missesAccount(ctx, inv, o.requester.Username) {
		remarks.say("note: there is no service account %s", o.requester.Username)
	}
	remarks.incomplete(answer.Incomplete, inv.Policies().Unread, o.state.grants(ctx)...)
	if answer.Summary.Objects == 0 && len(answer.Incomplete) == 0 {
		remarks.say("No objects match what was asked for.")
	}
	return nil
}

// policyNotes are about policies that are still to be stored: those proposed, and those of manifests.
func (o *simulateOptions) policyNotes(ctx context.Context, inv inventory.Inventory) ([]string, error) {
	switch server := inv.Server(); {
	case o.proposed.policies != nil:
		return o.proposed.notes(ctx, inv)
	case server.Assumed:
		return notStored(inv.Policies(), server.Version)
	}
	return nil, nil
}
