package audit

import (
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/chart"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// positions are where the findings' subjects stand in files.
func (a *auditor) positions(findings []Finding) map[Subject]inventory.Position {
	positions := map[Subject]inventory.Position{}
	for _, f := range findings {
		if _, known := positions[f.Subject]; known {
			continue
		}
		if position, found := a.position(f); found {
			positions[f.Subject] = position
		}
	}
	return positions
}

func (a *auditor) position(f Finding) (inventory.Position, bool) {
	s := f.Subject
	if s.Kind != ValuesKind {
		return inventory.Locate(a.inventory, s.Kind, s.Namespace, s.Name)
	}
	i := slices.IndexFunc(a.options.Mistakes, func(m chart.Mistake) bool { return m.ID == f.ID && m.Field == s.Field })
	if i < 0 {
		return inventory.Position{File: s.Name}, true
	}
	return inventory.Position{File: s.Name, Line: a.options.Mistakes[i].Line}, true
}
