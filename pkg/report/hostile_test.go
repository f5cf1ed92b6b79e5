package report

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/compare"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// hostile has everything in it that could move a cursor or hide text: a clear-screen sequence, carriage
// return, line feed, tab, form feed, bell, backspace, DEL, a C1 control sequence, NEL, line and
// paragraph separators, bidi controls, zero-width and filler characters, a tag and a variation
// selector, and a byte order mark.
const hostile = "a\x1b[2J\x1b]0;title\x07\r\n\t\f\b\x7f\u009b2J\u0085\u2028\u2029\u202e\u2066\u200b\u200d\u3164\u2800\u00a0\u00ad\U000e0041\ufe0f\ufeff\\\"z"

// hostileSimulation has the hostile text in every field that comes from a cluster or from files.
func hostileSimulation() *simulate.Report {
	result := blocked(simulate.ObjectRef{APIVersion: hostile + "/v1", Kind: "K" + hostile, Namespace: hostile, Name: hostile})
	result.Subresource, result.Verb, result.Operation = hostile, hostile, hostile
	result.Status.Message, result.Warnings = hostile, []string{hostile}
	result.Annotations = []simulate.Annotation{{
		Key: hostile, Change: simulate.Edited, Before: ptr(hostile), Proposed: ptr(hostile), Effect: simulate.EffectBlocked,
		By: []simulate.By{{Kind: hostile, Policy: hostile, Binding: hostile}},
	}}
	result.Steps = []policy.Step{{
		Phase: policy.Phase(hostile), Kind: hostile, Policy: hostile, Binding: hostile, Param: hostile, Decision: policy.Denied,
		Message: hostile, Because: policy.Because{MatchCondition: hostile, Rule: hostile, Expression: hostile},
		Changes: []policy.Change{{Key: hostile, Before: ptr(hostile)}},
	}}
	other := altered(result.Object)
	other.Annotations[0].By[0] = simulate.By{Kind: hostile, Policy: hostile, Binding: hostile}
	silent := unknown(result.Object)
	silent.Outcome, silent.Incomplete[0] = simulate.Outcome(hostile), inventory.Gap{What: hostile, Why: hostile}
	report := simulationOf(result, other, silent)
	report.Requester.Username = hostile
	report.Assumptions = []inventory.Gap{{What: hostile, Why: hostile}}
	Normalize(report)
	return report
}

func hostileAudit() *audit.Report {
	annotation := audit.Annotation{Key: hostile, Value: hostile, Problem: hostile, SetBy: hostile, SetAt: hostile}
	report := auditOf([]audit.Object{{
		Object:      simulate.ObjectRef{APIVersion: "v1", Kind: hostile, Namespace: hostile, Name: hostile},
		Annotations: []audit.Annotation{annotation},
		Guard:       audit.Guard{Create: audit.Protection(hostile)},
		Resource:    hostile,
	}, {
		Object: deployment(hostile, hostile), Guard: fullGuard,
		Subresources: []audit.SubresourceGuard{{Name: hostile, Add: audit.ProtectionAllowed}},
	}}, audit.Finding{
		ID: hostile, Severity: audit.Severity(hostile), Message: hostile, Evidence: hostile, Remedy: hostile,
		Subject: audit.Subject{Kind: hostile, Namespace: hostile, Name: hostile, Field: hostile},
	})
	report.Requester.Username, report.StateFlags = hostile, []string{hostile}
	report.Scope = audit.Scope{Namespace: hostile, Selector: hostile}
	report.Incomplete = []inventory.Gap{{What: hostile, Why: hostile}}
	return report
}

func hostileComparison() *compare.Report {
	who := authorization.Subject{Kind: hostile, Namespace: hostile, Name: hostile}
	side := compare.Side{Result: compare.Result(hostile), By: []simulate.By{{Kind: hostile, Policy: hostile, Binding: hostile}}}
	return &compare.Report{
		Requesters: []compare.Requester{{Subject: who, Username: hostile, Groups: []string{hostile}}},
		Changes: []compare.Change{{
			Object: deployment(hostile, hostile), Requesters: []authorization.Subject{who}, Operation: hostile, Subresource: hostile, Key: hostile,
			Asked: simulate.ChangeKind(hostile), Effect: compare.Effect(hostile), Today: side, Tomorrow: side,
		}},
		Incomplete: []inventory.Gap{{What: hostile, Why: hostile}},
		Summary:    compare.Summary{Objects: 1, Losing: []authorization.Subject{who}},
	}
}

// assertHarmless fails where a terminal would see anything but visible characters and line feeds.
func assertHarmless(t *testing.T, data []byte) {
	t.Helper()
	if !utf8.Valid(data) {
		t.Error("not UTF-8")
	}
	for _, r := range string(data) {
		if r != '\n' && !visible(r) {
			t.Fatalf("%U reaches the terminal", r)
		}
	}
}

func TestHostileDataReachesNoTerminal(t *testing.T) {
	for _, width := range []int{0, 80, 400} {
		for _, format := range []string{"table", "wide", "json", "yaml", "name"} {
			options := Options{Terminal: true, Explain: format != "name", Width: width}
			assertHarmless(t, printed(t, Simulation, format, hostileSimulation(), options))
			assertHarmless(t, printed(t, Audit, format, hostileAudit(), options))
			assertHarmless(t, printed(t, Comparison, format, hostileComparison(), options))
		}
		for _, format := range []string{"sarif", "junit", "markdown", "openreports"} {
			assertHarmless(t, printed(t, Audit, format, hostileAudit(), Options{Terminal: true, Width: width}))
		}
		for _, format := range []string{"junit", "markdown"} {
			assertHarmless(t, printed(t, Simulation, format, hostileSimulation(), Options{Terminal: true, Width: width}))
		}
	}
}

// A template's own line feeds and tabs can't be told from the data's, and do no harm.
func TestHostileDataInTemplates(t *testing.T) {
	for _, format := range []string{"jsonpath={.results}{.requester.username}", "jsonpath-as-json={.results}", "go-template={{.}}"} {
		data := printed(t, Simulation, format, hostileSimulation(), Options{Terminal: true})
		assertHarmless(t, bytes.ReplaceAll(data, []byte("\t"), nil))
	}
}

func TestHostileDataMakesNoLines(t *testing.T) {
	data := printed(t, Simulation, "table", hostileSimulation(), Options{})
	golden(t, "simulation-table-hostile.txt", data)
	data = printed(t, Simulation, "name", hostileSimulation(), Options{})
	if lines := bytes.Count(data, []byte("\n")); lines != 1 {
		t.Errorf("one object made %d lines:\n%s", lines, data)
	}
}

// Without colour, no byte of a table is an escape sequence.
func TestNoColor(t *testing.T) {
	for _, format := range []string{"table", "wide", "name"} {
		for _, options := range []Options{{Width: 80}, {Width: 200}, {ShowAll: true}} {
			simulation := printed(t, Simulation, format, everyOutcome(), options)
			audited := printed(t, Audit, format, everyGuard(), options)
			if bytes.ContainsRune(simulation, '\x1b') || bytes.ContainsRune(audited, '\x1b') {
				t.Errorf("%s has colour in it", format)
			}
		}
	}
}
