package report

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

func TestJSON(t *testing.T) {
	golden(t, "simulation.json", printed(t, Simulation, "json", simulationOf(blocked(deployment("team-a", "web"))), Options{}))
	golden(t, "audit.json", printed(t, Audit, "json", everyGuard(), Options{Color: true, Width: 10}))
	golden(t, "audit-bypassed.json", printed(t, Audit, "json", bypassed(), Options{}))
	golden(t, "simulation-empty.json", printed(t, Simulation, "json", &simulate.Report{}, Options{}))
	golden(t, "audit-empty.json", printed(t, Audit, "json", &audit.Report{}, Options{}))
}

func TestJSONIsExactlyTheReport(t *testing.T) {
	for _, report := range []*simulate.Report{everyOutcome(), hostileSimulation()} {
		data := printed(t, Simulation, "json", report, Options{})
		var got simulate.Report
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		ignored := cmpopts.IgnoreFields(simulate.Result{}, "Incomplete", "Assumptions")
		if diff := cmp.Diff(*report, got, ignored); diff != "" {
			t.Errorf("JSON is not the report (-report +JSON):\n%s", diff)
		}
	}
}

func TestJSONShowsNothingHidden(t *testing.T) {
	data := printed(t, Simulation, "json", hostileSimulation(), Options{})
	assertHarmless(t, data)
	if !bytes.Contains(data, []byte(`\u202e`)) || !bytes.Contains(data, []byte(`\udb40\udc41`)) {
		t.Errorf("hidden characters are not written as escapes:\n%s", data)
	}
}
