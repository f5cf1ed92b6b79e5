package audit

import (
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/chart"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

func TestNoPolicy(t *testing.T) {
	web := deployment("team-a", "web", `downscaler/exclude: "true"`)
	for name, test := range map[string]struct {
		manifests []any
		says      string
	}{
		"nothing at all":     {nil, "none of these was prevented on any of 2 objects"},
		"unrelated policies": {[]any{requireLabels, bindingOf("require-labels", "[Deny]")}, "At present ValidatingAdmissionPolicy require-labels refuses creations, additions, edits and removals of 1 object in team-a, with an annotation or without"},
		"one that asks for another annotation": {[]any{strings.Replace(requireLabels, "has(object.metadata.labels) && 'team' in object.metadata.labels", "object.metadata.?annotations['owner'].orValue('') != ''", 1), bindingOf("require-labels", "[Deny]")},
			"Nothing guards the annotations as such."},
		"warning only":        {[]any{guard{name: "g", resources: everyResource, actions: "[Warn]"}}, "2 objects"},
		"everyone is exempt":  {[]any{guard{name: "g", resources: everyResource, exempt: ".*"}}, "without effect on them: ValidatingAdmissionPolicy g"},
		"without its policy":  {[]any{guard{name: "g", unpoliced: true}}, "(to g)"},
		"without its binding": {[]any{guard{name: "g", resources: everyResource, unbound: true}}, "2 objects"},
	} {
		t.Run(name, func(t *testing.T) {
			f := one(t, auditOf(t, append(test.manifests, teamA, web)...), "no-policy",
				"simulate as-user nobody@ordinary.invalid", " downscaler/")
			if f.Severity != Critical || !strings.Contains(f.Message, test.says) {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestNoPolicySilent(t *testing.T) {
	web := deployment("team-a", "web", "")
	teamOnly := Options{Query: inventory.Query{Namespace: "team-a"}}
	elsewhere := guard{name: "g", resources: everyResource, selector: "matchLabels: {team: b}"}
	for name, report := range map[string]Report{
		"guarded":                     auditOf(t, chartLike(false), teamA, web),
		"partly guarded":              auditOf(t, guard{name: "g", resources: []string{"apps/statefulsets"}, removals: true}, guard{name: "h", resources: []string{"/namespaces"}}, teamA, web),
		"nothing selected":            auditWith(t, Options{Query: inventory.Query{Namespace: "team-x"}}, teamA, web),
		"a part the guard leaves out": auditWith(t, teamOnly, elsewhere, teamA, web),
		"not known":                   auditOf(t, elsewhere, web),
	} {
		t.Run(name, func(t *testing.T) { silent(t, report, "no-policy") })
	}
}

func TestNoPolicyInAPart(t *testing.T) {
	teamOnly := Options{Query: inventory.Query{Namespace: "team-a"}}
	one(t, auditWith(t, teamOnly, teamA, deployment("team-a", "web", "")), "no-policy")
	one(t, auditWith(t, teamOnly, guard{name: "g", resources: everyResource, exempt: ".*"}, teamA, deployment("team-a", "web", "")), "no-policy")
}

// TestNoPolicyRefused: the evidence is a request that passes, and what is refused anyway is said of the object.
func TestNoPolicyRefused(t *testing.T) {
	report := auditOf(t, requireLabels, bindingOf("require-labels", "[Deny]"), teamA, deployment("team-a", "web", ""))
	one(t, report, "no-policy", "namespaces/team-a")
	refused := web(t, report).RefusedAnyway
	if len(refused) != 1 || refused[0].Policy != "require-labels" || len(refused[0].Changes) != 4 {
		t.Errorf("%+v", refused)
	}
	if alone := one(t, auditWith(t, Options{Query: inventory.Query{Namespace: "none"}}, requireLabels, bindingOf("require-labels", "[Deny]"), deployment("none", "web", "")), "no-policy", "-n none"); alone.Evidence == "" {
		t.Errorf("%+v", alone)
	}
}

// TestNoPolicyFollows: what is open because a pattern of the values broke out of its quotes says so.
func TestNoPolicyFollows(t *testing.T) {
	broken := guard{name: "g", resources: everyResource, condition: "has(object.metadata.annotations['downscaler/exclude') "}
	for _, test := range []struct {
		mistakes []chart.Mistake
		follows  bool
	}{{[]chart.Mistake{{ID: "values-pattern-quoting", Field: "patterns[0]"}}, true}, {nil, false}, {[]chart.Mistake{{ID: "values-pattern-quoting", Mended: true}}, false}} {
		report := auditWith(t, Options{Mistakes: test.mistakes}, broken, teamA, deployment("team-a", "web", ""))
		for _, id := range []string{"no-policy", "policy-does-not-compile"} {
			if f := one(t, report, id); strings.Contains(f.Message, "It follows from values-pattern-quoting at patterns[0]: mend that first.") != test.follows {
				t.Errorf("%+v", f)
			}
		}
	}
}
