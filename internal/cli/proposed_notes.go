package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// notes say what keeps the proposed policies from doing what they are meant for, and what the chart would make of the values. inv has
// the policies in it.
func (f *proposedFlags) notes(ctx context.Context, inv inventory.Inventory) ([]string, error) {
	notes, err := flaws(f.policies, inv.Policies(), inv.Server().Version)
	return slices.Concat(notes, f.mistakeNotes(), f.valuesNotes(ctx, inv)), err
}

// mistakeNotes say what the chart would make of the values, which an audit says by findings.
func (f *proposedFlags) mistakeNotes() []string {
	var notes []string
	for _, m := range f.mistakes {
		note := fmt.Sprintf("%s: %s: %s", m.ID, m.Field, m.Message)
		if m.Mended {
			note += " What was meant is simulated."
		}
		notes = append(notes, note)
	}
	return notes
}

// valuesNotes say what else looks like a mistake in the values, such as accounts of the downscaler's that don't exist.
func (f *proposedFlags) valuesNotes(ctx context.Context, inv inventory.Inventory) []string {
	if f.chart == nil {
		return nil
	}
	notes := f.chart.Notes()
	if len(f.policies.Validating)+len(f.policies.Mutating) == 0 {
		return notes
	}
	for _, username := range f.chart.Accounts(f.values.release) {
		if missesAccount(ctx, inv, username) {
			notes = append(notes, fmt.Sprintf("the values let %s pass as the downscaler, and there is no such service account; are --release-name %s and --release-namespace %s right?",
				username, f.values.release.Name, f.values.release.Namespace))
		}
	}
	return notes
}
