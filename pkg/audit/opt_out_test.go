package audit

import (
	"slices"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// onSkipped is a mutating policy for what has the label skip.
func onSkipped(policy string) string {
	return strings.Replace(policy, "matchConstraints:\n", "matchConstraints:\n    objectSelector: {matchExpressions: [{key: skip, operator: Exists}]}\n", 1)
}

// Whether a label leads out is not known where two mutating policies act on what has it, each of which may have the last word: the report says so. It is nobody's
// business where no guard asks for the label.
func TestOptOutUnknown(t *testing.T) {
	const byLabel = `!has(object.metadata.labels) || !("skip" in object.metadata.labels)`
	first, second := onSkipped(writes("one", never, annotates(`"downscaler/x": "1"`))), onSkipped(writes("two", never, annotates(`"downscaler/x": "2"`)))
	for name, test := range map[string]struct {
		rule  string
		guard any
		told  bool
	}{
		"a condition":            {"match-condition-opt-out", unless(byLabel), true},
		"a condition on nothing": {"match-condition-opt-out", unless("true"), false},
		"a selector":             {"selector-opt-out", selectingObjects(exempting("false"), `matchExpressions: [{key: skip, operator: DoesNotExist}]`), true},
		"another selector":       {"selector-opt-out", selectingObjects(exempting("false"), `matchExpressions: [{key: other, operator: DoesNotExist}]`), false},
	} {
		t.Run(name, func(t *testing.T) {
			report := auditWith(t, Options{Rules: []string{test.rule}}, test.guard, first, second, teamA, deployment("team-a", "web", ""))
			told := slices.ContainsFunc(report.Incomplete, func(gap inventory.Gap) bool {
				return gap.What == "the order of MutatingAdmissionPolicy one, two"
			})
			if told != test.told {
				t.Errorf("incomplete: %+v, findings: %+v", report.Incomplete, report.Findings)
			}
		})
	}
}

// One opt-out leads out in an update, and another one in a creation: the finding is about the first, and does not mix their ways.
func TestOptOutsAreNotMixed(t *testing.T) {
	g := unless(`!(oldObject != null && "guard.example/a" in oldObject.metadata.?annotations.orValue({}) || oldObject == null && "guard.example/b" in object.metadata.?annotations.orValue({}))`)
	f := one(t, auditOf(t, g, teamA, deployment("team-a", "web", "")), "match-condition-opt-out")
	a, b := strings.Contains(f.Message, "guard.example/a: true, which an ordinary user gives it in an update before:"), strings.Contains(f.Message, "guard.example/b: true, which an ordinary user gives it in its creation:")
	if a == b {
		t.Error(f.Message)
	}
}

// A label that the expressions read, too, leads out by the selector: the expressions are not to blame.
func TestMatchConditionOptOutBesideASelector(t *testing.T) {
	g := selectingObjects(unless(`object.metadata.?labels[?"skip"].orValue("no") != ""`), `matchExpressions: [{key: skip, operator: DoesNotExist}]`)
	report := auditOf(t, g, teamA, deployment("team-a", "web", ""))
	one(t, report, "selector-opt-out")
	silent(t, report, "match-condition-opt-out")
}
