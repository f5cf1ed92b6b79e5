package audit

import (
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

func TestNoPolicy(t *testing.T) {
	web := deployment("team-a", "web", `downscaler/exclude: "true"`)
	for name, test := range map[string]struct {
		manifests []any
		says      string
	}{
		"nothing at all":      {nil, "none of these was prevented on any of 2 objects"},
		"unrelated policies":  {[]any{requireLabels, bindingOf("require-labels", "[Deny]")}, "2 objects"},
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
