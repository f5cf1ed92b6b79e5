package audit

import (
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/chart"
)

// Each mistake is found by its own rule, and two patterns of one field are two findings.
func TestValues(t *testing.T) {
	const field = "annotationsCompliance.authorizedUsersRegex"
	mistakes := []chart.Mistake{
		{ID: "values-actions-list", Field: "annotationsCompliance.validationActions", Line: 7, Message: "A list.", Remedy: "Name one."},
		{ID: "values-pattern-quoting", Field: field, Written: `a\.b`, Message: "One.", Remedy: "Twice."},
		{ID: "values-pattern-quoting", Field: field, Written: `c\.d`, Message: "Another.", Remedy: "Twice."},
	}
	report := auditWith(t, Options{Values: "values.yaml", Mistakes: mistakes, Flags: []string{"--values", "values.yaml"}}, teamA, deployment("team-a", "web", ""))
	f := one(t, report, "values-actions-list", "audit --values values.yaml")
	if f.Subject != (Subject{Kind: ValuesKind, Name: "values.yaml", Field: "annotationsCompliance.validationActions"}) || f.Message != "A list. (line 7)" || f.Remedy != "Name one." || f.Severity != High {
		t.Errorf("%+v", f)
	}
	patterns := found(report, "values-pattern-quoting")
	if len(patterns) != 2 || patterns[0].Fingerprint() == patterns[1].Fingerprint() || patterns[0].Message != "One." {
		t.Errorf("%+v", patterns)
	}
	for _, id := range []string{"values-removal-without-enabled", "values-removal-scopes-coupled", "values-service-accounts-with-mutation", "values-too-many-patterns", "values-kubernetes-version"} {
		silent(t, report, id)
	}
}
