package audit

import (
	"maps"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// severities, gravest first.
var severities = []Severity{Critical, High, Medium, Low, Info}

// report puts everything in its stable order.
func (a *auditor) report(findings []Finding) Report {
	rows := a.gathered.rows
	if rows == nil {
		rows = []Object{}
	}
	slices.SortFunc(rows, func(x, y Object) int { return x.Object.Compare(y.Object) })
	incomplete := simulate.AddGaps([]inventory.Gap{}, a.inventory.Incomplete())
	incomplete = simulate.AddGaps(incomplete, a.simulator.Policies().Unread)
	return Report{
		APIVersion:  simulate.APIVersion,
		Kind:        "AuditReport",
		Server:      a.inventory.Server(),
		Requester:   a.options.Requester,
		Scope:       ScopeOf(a.options.Query),
		Objects:     rows,
		Findings:    findings,
		Incomplete:  simulate.AddGaps(incomplete, inventory.SortedGaps(maps.Keys(a.gathered.incomplete))),
		Assumptions: inventory.SortedGaps(maps.Keys(a.gathered.assumptions)),
		Summary:     summarize(rows, findings),
		StateFlags:  a.options.Flags,

		SkippedRules: a.skipped(),
		Values:       a.options.Values,
		Rules:        described(a.rules),
		Positions:    a.positions(findings),
	}
}

func summarize(rows []Object, findings []Finding) Summary {
	s := Summary{Objects: len(rows), Findings: map[Severity]int{}}
	for _, severity := range severities {
		s.Findings[severity] = 0
	}
	for _, row := range rows {
		if len(row.Annotations) > 0 {
			s.Annotated++
		}
		s.Guarded.count(row.Guard)
		if row.Guard.Level() == LevelFull && len(row.Bypasses()) > 0 {
			s.Bypassed++
		}
	}
	for _, f := range findings {
		s.Findings[f.Severity]++
	}
	return s
}

func sameRequester(a, b request.Requester) bool {
	return a.Username == b.Username && a.UID == b.UID && slices.Equal(a.Groups, b.Groups) && len(a.Extra) == 0 && len(b.Extra) == 0
}
