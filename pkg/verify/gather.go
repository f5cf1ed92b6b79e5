package verify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// NewReport gathers results into a report, sorted by namespace, kind and name, with every gap named once. The policies
// are the inventory's own: the API server decides by no others.
func NewReport(inv inventory.Inventory, requester request.Requester, results []Result) Report {
	report := Report{
		APIVersion: simulate.APIVersion, Kind: "VerifyReport", Server: inv.Server(), Requester: requester,
		Results: slices.Clone(results), Incomplete: []inventory.Gap{}, Assumptions: []inventory.Gap{},
	}
	slices.SortStableFunc(report.Results, func(a, b Result) int { return a.Object.Compare(b.Object) })
	report.Incomplete = simulate.AddGaps(report.Incomplete, append(slices.Clone(inv.Incomplete()), inv.Policies().Unread...))
	for i := range report.Results {
		report.add(&report.Results[i])
	}
	return report
}

// add counts a result and takes over what is not known about it.
func (r *Report) add(result *Result) {
	r.Summary.Requests++
	r.Incomplete = simulate.AddGaps(r.Incomplete, result.partly)
	switch result.Agreement {
	case Agrees:
		r.Summary.Agrees++
		return
	case Disagrees:
		r.Summary.Disagrees++
	case NotAsked:
		r.Summary.NotAsked++
	case NotCompared:
		r.Summary.NotCompared++
	}
	r.Incomplete = simulate.AddGaps(r.Incomplete, result.simulation.Incomplete)
	r.Assumptions = simulate.AddGaps(r.Assumptions, result.simulation.Assumptions)
	if gap, open := result.Gap(); open {
		r.Incomplete = simulate.AddGaps(r.Incomplete, []inventory.Gap{gap})
	}
}

// Gap is what a report's Incomplete says of a request that was not asked or not compared.
func (r Result) Gap() (gap inventory.Gap, open bool) {
	return inventory.Gap{What: r.describe(), Why: r.Why}, r.Why != ""
}

// describe is a request in words: update of deployment/web in team-a.
func (r Result) describe() string {
	name := cmp.Or(r.Object.Name, r.Object.GenerateName)
	text := fmt.Sprintf("%s of %s/%s", strings.ToLower(r.Operation), strings.ToLower(r.Object.Kind), name)
	if r.Subresource != "" {
		text += "/" + r.Subresource
	}
	if r.Object.Namespace != "" {
		text += " in " + r.Object.Namespace
	}
	return text
}
