package audit

import (
	"slices"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

func TestPolicyDoesNotCompile(t *testing.T) {
	for name, test := range map[string]struct {
		guard           guard
		field, evidence string
	}{
		"a condition":       {guard{name: "g", resources: []string{"apps/deployments"}, condition: "'downscaler/'.nothing()"}, "spec.matchConditions[0].expression", "deployments.apps/web"},
		"a validation":      {guard{name: "g", resources: everyResource, validation: "1 + 1"}, "spec.validations[0].expression", "simulate as-user"},
		"a mutating policy": {guard{name: "g", mutating: true, resources: everyResource, condition: "downscaler/ == 1 || 'downscaler/' == '"}, "spec.matchConditions[0].expression", "simulate as-user"},
		"without a binding": {guard{name: "g", unbound: true, resources: everyResource, validation: "1 + 1"}, "spec.validations[0].expression", "downscaler-compliance audit"},
	} {
		t.Run(name, func(t *testing.T) {
			f := one(t, auditOf(t, test.guard, teamA, deployment("team-a", "web", "")), "policy-does-not-compile", test.evidence)
			if f.Subject.Field != test.field || f.Severity != Critical || !strings.Contains(f.Message, test.field) {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestPolicyDoesNotCompileSilent(t *testing.T) {
	broken := strings.ReplaceAll(requireLabels, "has(object.metadata.labels)", "has(object.metadata.labels) + 1")
	for name, manifests := range map[string][]any{
		"compiles":       {chartLike(false)},
		"mutating":       {chartLike(true)},
		"another tool's": {chartLike(false), broken, bindingOf("require-labels", "[Deny]")},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, teamA, deployment("team-a", "web", ""))...), "policy-does-not-compile")
		})
	}
}

// newer is an inventory of a server that nobody knows yet.
type newer struct{ inventory.Inventory }

// Server implements inventory.Inventory.
func (newer) Server() inventory.Server {
	return inventory.Server{Version: "v1.99.0", Source: inventory.SourceCluster}
}

// TestPolicyMayCompile: what does not compile here may compile on a newer server; that it was not simulated is told.
func TestPolicyMayCompile(t *testing.T) {
	broken := guard{name: "g", resources: everyResource, validation: "[1].shuffle() == [] && 'downscaler/' != ''"}
	report, err := Run(t.Context(), simulatorOf(t, newer{load(t, broken, teamA, deployment("team-a", "web", ""))}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	silent(t, report, "policy-does-not-compile")
	if !slices.ContainsFunc(report.Incomplete, func(g inventory.Gap) bool { return strings.Contains(g.Why, "the newest that this program knows") }) {
		t.Error(report.Incomplete)
	}
}
