package report

import (
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

func TestSimulationTable(t *testing.T) {
	distinctReasons := simulationOf()
	for i := range 60 {
		result := blocked(deployment("team-a", string(rune('a'+i%26))+string(rune('a'+i/26))))
		result.Steps[0].Message = "reason " + result.Object.Name
		distinctReasons.Results = append(distinctReasons.Results, result)
	}
	distinctReasons.Summary = simulate.Summary{Objects: 60, Blocked: 60}
	for name, test := range map[string]struct {
		report  *simulate.Report
		options Options
	}{
		"one":       {simulationOf(blocked(deployment("team-a", "web"))), Options{}},
		"empty":     {simulationOf(), Options{}},
		"every":     {everyOutcome(), Options{}},
		"width140":  {everyOutcome(), Options{Width: 140}},
		"width80":   {everyOutcome(), Options{Width: 80}},
		"color":     {everyOutcome(), Options{Color: true}},
		"noheaders": {simulationOf(blocked(deployment("team-a", "web"))), Options{NoHeaders: true}},
		"explain":   {everyOutcome(), Options{Explain: true, Width: 100}},
		"folded":    {manyOutcomes(900), Options{}},
		"folded2":   {manyOutcomes(10000), Options{Explain: true}},
		"attention": {manyOutcomes(30), Options{}},
		"all":       {manyOutcomes(12), Options{ShowAll: true}},
		"distinct":  {distinctReasons, Options{}},
		"refused":   {refused(), Options{}},
		"refused80": {refused(), Options{Width: 80, Explain: true}},
		"admitted":  {admitted(), Options{}},
		"unread":    {policiesUnread(), Options{Explain: true}},
		"change80":  {longChange(), Options{Width: 80}},
		"change100": {longChange(), Options{Width: 100}},
		"cluster":   {simulationOf(allowed(simulate.ObjectRef{APIVersion: "v1", Kind: "Namespace", Name: "team-a"})), Options{}},
	} {
		t.Run(name, func(t *testing.T) {
			golden(t, "simulation-table-"+name+".txt", printed(t, Simulation, "table", test.report, test.options))
		})
	}
}
