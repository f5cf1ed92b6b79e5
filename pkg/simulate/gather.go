package simulate

import (
	"cmp"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// NewReport gathers results into a report, sorted by namespace, kind and name, with every gap of theirs and of
// the inventory named once.
func NewReport(inv inventory.Inventory, policies *inventory.Policies, requester request.Requester, results []Result) Report {
	report := Report{
		APIVersion:  APIVersion,
		Kind:        "SimulationReport",
		Server:      inv.Server(),
		Requester:   requester,
		Results:     slices.Clone(results),
		Incomplete:  []inventory.Gap{},
		Assumptions: []inventory.Gap{},
	}
	slices.SortStableFunc(report.Results, func(a, b Result) int { return a.Object.Compare(b.Object) })
	gaps := append(slices.Clone(inv.Incomplete()), policies.Unread...)
	report.Incomplete = AddGaps(report.Incomplete, gaps)
	for i := range report.Results {
		r := &report.Results[i]
		report.Incomplete = AddGaps(report.Incomplete, r.Incomplete)
		report.Assumptions = AddGaps(report.Assumptions, r.Assumptions)
		report.Summary.count(r.Outcome)
	}
	return report
}

// AddGaps adds those gaps that are not there yet.
func AddGaps(known, more []inventory.Gap) []inventory.Gap {
	for _, gap := range more {
		if !slices.Contains(known, gap) {
			known = append(known, gap)
		}
	}
	return known
}

// Compare orders objects as reports do: by namespace, kind and name, and those of the same name by version.
func (r ObjectRef) Compare(other ObjectRef) int {
	return cmp.Or(
		cmp.Compare(r.Namespace, other.Namespace),
		cmp.Compare(r.Kind, other.Kind),
		cmp.Compare(r.Name, other.Name),
		cmp.Compare(r.GenerateName, other.GenerateName),
		cmp.Compare(r.APIVersion, other.APIVersion),
	)
}

func (s *Summary) count(outcome Outcome) {
	s.Objects++
	switch outcome {
	case Allowed:
		s.Allowed++
	case Altered:
		s.Altered++
	case Blocked:
		s.Blocked++
	case Unknown:
		s.Unknown++
	}
}
