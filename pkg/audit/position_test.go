package audit

import (
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/chart"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// A finding's subject is found in the file that it stands in, as is the line of what is wrong with values.
func TestPositions(t *testing.T) {
	warning := guard{name: "g", resources: everyResource, actions: "[Warn]"}
	mistake := chart.Mistake{ID: "values-actions-list", Field: "annotationsCompliance.validationActions", Line: 7, Message: "A list.", Remedy: "Name one."}
	report := auditWith(t, Options{Values: "values.yaml", Mistakes: []chart.Mistake{mistake}}, teamA, deployment("team-a", "web", ""), warning)
	binding := found(report, "binding-does-not-deny")
	values := found(report, "values-actions-list")
	if len(binding) != 1 || len(values) != 1 {
		t.Fatalf("%+v", report.Findings)
	}
	at := report.Positions[binding[0].Subject]
	if at.File != "test" || at.Line == 0 || at.Document != 4 {
		t.Errorf("the binding stands at %+v", at)
	}
	if at := report.Positions[values[0].Subject]; at != (inventory.Position{File: "values.yaml", Line: 7}) {
		t.Errorf("the values' mistake stands at %+v", at)
	}
	for subject := range report.Positions {
		if subject.Name == "" {
			t.Errorf("%+v stands nowhere", subject)
		}
	}
}
