package audit

import (
	"context"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// Trier tries guards in the name of one requester, who is taken as authorized. It is safe for concurrent use.
type Trier struct{ trier trier }

// Trial is what came of one probe.
type Trial struct {
	Column     Column
	Key        string
	Protection Protection
	// By are the policies that made it so on account of the annotation.
	By []simulate.By
	// Refused says that the request does not pass at present for another reason than its annotation: RefusedBy refuse it with one or without, or, where
	// there are none, the API server itself does. They are no guard of the annotation, and Protection is what the guard makes of it.
	Refused   bool
	RefusedBy []simulate.By
	// Incomplete says of an Unknown what kept it from being known.
	Incomplete  []inventory.Gap
	Assumptions []inventory.Gap
}

// NewTrier returns the trier of a requester by the simulator's policies.
func NewTrier(simulator *simulate.Simulator, requester request.Requester) *Trier {
	return &Trier{trier{simulator: simulator.PastAuthorization(), requester: requester, related: annotationPolicies(simulator.Policies())}}
}

// As is the same trier for another requester.
func (t *Trier) As(requester request.Requester) *Trier {
	other := *t
	other.trier.requester = requester
	return &other
}

// Try tries an object's Probes, through a subresource or with "" on the object itself, in the order of Probes. Nothing is created
// through a subresource.
func (t *Trier) Try(ctx context.Context, object inventory.Object, subresource string) []Trial {
	var trials []Trial
	for _, one := range t.trier.through(subresource).try(ctx, object) {
		trials = append(trials, one.trial(object, subresource))
	}
	return trials
}

// trial is what others may know of it.
func (t tried) trial(object inventory.Object, subresource string) Trial {
	trial := Trial{
		Column: t.Column, Key: t.Key, Protection: t.protection, Assumptions: t.result.Assumptions, Incomplete: t.gaps(object, subresource),
	}
	for _, s := range t.acting {
		trial.By = append(trial.By, byOf(s))
	}
	if t.refused() {
		trial.Refused = true
		for _, s := range t.refusals() {
			trial.RefusedBy = append(trial.RefusedBy, byOf(s))
		}
	}
	return trial
}

// gaps say of an Unknown what kept it from being known.
func (t tried) gaps(object inventory.Object, subresource string) []inventory.Gap {
	if t.protection != ProtectionUnknown {
		return nil
	}
	gaps := t.result.Incomplete
	if t.why != "" {
		gaps = simulate.AddGaps(slices.Clone(gaps), []inventory.Gap{untried(object, subresource, t)})
	}
	return gaps
}
