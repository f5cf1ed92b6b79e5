package audit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// writes is a mutating policy with one ApplyConfiguration of annotations or labels, and its binding.
func writes(name, reinvocation, expression string) string {
	return fmt.Sprintf(`
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: %[1]s}
spec:
  reinvocationPolicy: %[2]s
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
  mutations:
  - {patchType: ApplyConfiguration, applyConfiguration: {expression: %[3]q}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: %[1]s}
spec: {policyName: %[1]s}
`, name, reinvocation, expression)
}

func annotates(keyValues string) string {
	return "Object{metadata: Object.metadata{annotations: {" + keyValues + "}}}"
}

const never, ifNeeded = "Never", "IfNeeded"

func TestOrderDependentMutation(t *testing.T) {
	additions := guard{name: "strip", mutating: true, resources: []string{"apps/deployments"}, condition: touched}
	sleeps := writes("sleeps", never, "has(object.metadata.annotations) && 'downscaler/uptime' in object.metadata.annotations ? Object{} : "+annotates(`"downscaler/uptime": "always"`))
	labels := writes("unrelated", never, `Object{metadata: Object.metadata{labels: {"team": "a"}}}`)
	first, second := writes("one", never, annotates(`"downscaler/x": "1"`)), writes("two", never, annotates(`"downscaler/x": "2"`))
	for name, test := range map[string]struct {
		manifests []any
		message   []string
		remedy    string
	}{
		"two values": {
			[]any{first, second},
			[]string{"MutatingAdmissionPolicy one and MutatingAdmissionPolicy two", `with MutatingAdmissionPolicy one first, downscaler/x: "2" is stored; with MutatingAdmissionPolicy two first, downscaler/x: "1" is stored.`},
			"IfNeeded on one or on two, which then has the last word, or make them one policy",
		},
		"among others": {
			[]any{labels, first, writes("a-first", never, annotates(`"downscaler/y": "1"`)), second},
			[]string{"MutatingAdmissionPolicy one and MutatingAdmissionPolicy two"}, "IfNeeded",
		},
		"a guard and a default": {
			[]any{additions, sleeps},
			[]string{`with MutatingAdmissionPolicy sleeps first, downscaler/uptime is not stored; with MutatingAdmissionPolicy strip first, downscaler/uptime: "always" is stored`},
			"IfNeeded",
		},
		"no reinvocation helps": {
			[]any{writes("one", never, appends("1")), writes("two", never, appends("2"))},
			[]string{`with MutatingAdmissionPolicy one first, downscaler/x: "12" is stored`}, "Make them one policy",
		},
		"more than all orders are tried of": {
			[]any{first, second, labels, writes("a", never, annotates(`"downscaler/a": ""`)), writes("b", never, annotates(`"downscaler/b": ""`)), writes("c", never, annotates(`"downscaler/c": ""`))},
			[]string{"MutatingAdmissionPolicy one and MutatingAdmissionPolicy two"}, "IfNeeded",
		},
	} {
		t.Run(name, func(t *testing.T) {
			report := auditOf(t, append(test.manifests, teamA, deployment("team-a", "web", ""))...)
			f := one(t, report, "order-dependent-mutation", "simulate as-user", "deployments.apps/web -n team-a")
			for _, part := range test.message {
				if !strings.Contains(f.Message, part) {
					t.Errorf("%q lacks %q", f.Message, part)
				}
			}
			if !strings.Contains(f.Remedy, test.remedy) || f.Severity != Medium {
				t.Errorf("%+v", f)
			}
		})
	}
}

// appends is a mutation that does not come to the same when it is done twice.
func appends(text string) string {
	return annotates(`"downscaler/x": object.metadata.?annotations[?"downscaler/x"].orValue("") + "` + text + `"`)
}

func TestPairIsNamedInOrder(t *testing.T) {
	one, two := policy.Place{Policy: "p", Binding: "one"}, policy.Place{Policy: "p", Binding: "two"}
	for _, at := range []pair{{one, two}, {two, one}} {
		d := &dispute{before: ordered{order: policy.Order{at.first, at.second}}, after: ordered{order: policy.Order{at.second, at.first}}}
		if got := d.named(at); got != (pair{one, two}) || d.before.order[0] != one || d.after.order[0] != two {
			t.Errorf("%v: %v, before %v", at, got, d.before.order)
		}
	}
}

func TestOrderDependentMutationSilent(t *testing.T) {
	for name, manifests := range map[string][]any{
		"one policy":     {writes("one", never, annotates(`"downscaler/x": "1"`))},
		"other keys":     {writes("one", never, annotates(`"downscaler/x": "1"`)), writes("two", never, annotates(`"downscaler/y": "1"`))},
		"the same value": {writes("one", never, annotates(`"downscaler/x": "1"`)), writes("two", never, annotates(`"downscaler/x": "1"`))},
		"reinvocation converges": {
			writes("one", ifNeeded, annotates(`"downscaler/x": "1"`)), writes("two", never, annotates(`"downscaler/x": "2"`)),
		},
		"something else": {
			writes("one", never, `Object{metadata: Object.metadata{labels: {"x": "1"}}}`), writes("two", never, `Object{metadata: Object.metadata{labels: {"x": "2"}}}`),
		},
		"refused in any order": {
			writes("one", never, annotates(`"downscaler/x": "1"`)), writes("two", never, annotates(`"downscaler/x": "2"`)),
			guard{name: "block", resources: everyResource, condition: "'downscaler/' == 'downscaler/'"},
		},
		"a guard": {chartLike(true)},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, teamA, deployment("team-a", "web", ""))...), "order-dependent-mutation")
		})
	}
}

// TestGuardInDisorder: what the guard is where the order of mutating policies matters.
func TestGuardInDisorder(t *testing.T) {
	put := `oldObject == null ? Object{} : Object{metadata: Object.metadata{annotations: oldObject.metadata.annotations}}`
	restore := writes("restore", never, strings.ReplaceAll(put, "oldObject.metadata.annotations", "oldObject.metadata.?annotations.orValue({})"))
	for name, test := range map[string]struct {
		manifests  []any
		want       Guard
		incomplete bool
	}{
		"only a label": {
			[]any{
				chartLike(true), writes("one", never, `Object{metadata: Object.metadata{labels: {"x": "1"}}}`), writes("two", never, `Object{metadata: Object.metadata{labels: {"x": "2"}}}`),
			},
			Guard{ProtectionStripped, ProtectionStripped, ProtectionReverted, ProtectionRestored}, false,
		},
		"another key": {
			[]any{restore, writes("one", never, annotates(`"downscaler/x": "1"`)), writes("two", never, annotates(`"downscaler/x": "2"`))},
			Guard{allowed, allowed, ProtectionReverted, ProtectionRestored}, false,
		},
		"the key itself": {
			[]any{restore, writes("sets", never, annotates(`"downscaler/exclude": "sometimes"`))},
			Guard{allowed, allowed, unknown, unknown}, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			report := auditOf(t, append(test.manifests, teamA, deployment("team-a", "web", ""))...)
			if got := web(t, report).Guard; got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
			if (len(report.Incomplete) > 0) != test.incomplete {
				t.Errorf("incomplete %v", report.Incomplete)
			}
		})
	}
}
