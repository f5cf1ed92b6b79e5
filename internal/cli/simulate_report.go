package cli

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"

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
	notes, err := o.policyNotes(inv)
	if err != nil {
		return err
	}
	remarks.notes(notes)
	remarks.notes(o.spelling.notes())
	if o.missesAccount(ctx, inv) {
		remarks.say("note: there is no service account %s", o.requester.Username)
	}
	remarks.incomplete(answer.Incomplete, inv.Policies().Unread, o.state.missingRights()...)
	if answer.Summary.Objects == 0 && len(answer.Incomplete) == 0 {
		remarks.say("No objects match what was asked for.")
	}
	return nil
}

// policyNotes are about policies that are still to be stored: those proposed, and those of manifests.
func (o *simulateOptions) policyNotes(inv inventory.Inventory) ([]string, error) {
	switch server := inv.Server(); {
	case o.proposed.policies != nil:
		return o.proposed.notes(inv)
	case server.Assumed:
		return notStored(inv.Policies(), server.Version)
	}
	return nil, nil
}

// missesAccount says whether the requester is a service account that is known not to exist. Manifests have some
// of the accounts at most, so that only one which has others beside it is missed.
func (o *simulateOptions) missesAccount(ctx context.Context, inv inventory.Inventory) bool {
	namespace, name, err := serviceaccount.SplitUsername(o.requester.Username)
	kind, served := inv.Kinds().ForKind(schema.GroupVersionKind{Version: "v1", Kind: "ServiceAccount"})
	if err != nil || !served || o.ask != nil {
		return false
	}
	if _, err := inv.Get(ctx, kind, namespace, name); !apierrors.IsNotFound(err) {
		return false
	}
	if !inv.Server().Assumed {
		return true
	}
	for _, err := range inv.Objects(ctx, inventory.Query{Kinds: []inventory.Kind{kind}, Namespace: namespace}) {
		return err == nil && name != "default"
	}
	return false
}
