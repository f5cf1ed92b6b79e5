package audit

import (
	"strings"
	"testing"
)

func TestPolicyWithoutBinding(t *testing.T) {
	additions, removals := chartLike(false)[0], chartLike(false)[1]
	removals.unbound = true
	generic := guard{
		name: "no-annotations", resources: []string{"apps/deployments"}, unbound: true,
		condition: "oldObject != null && has(object.metadata.annotations) && object.metadata.annotations.size() > 0",
	}
	for name, test := range map[string]struct {
		manifests []any
		policy    string
	}{
		"removals":                   {[]any{additions, removals}, removals.name},
		"guards every annotation":    {[]any{additions, generic}, generic.name},
		"mutating":                   {[]any{guard{name: "g", mutating: true, resources: everyResource, unbound: true}}, "g"},
		"does not compile":           {[]any{guard{name: "g", condition: "'downscaler/'", resources: everyResource, unbound: true}}, "g"},
		"for a kind without objects": {[]any{guard{name: "g", resources: []string{"apps/statefulsets"}, unbound: true}}, "g"},
	} {
		t.Run(name, func(t *testing.T) {
			report := auditOf(t, append(test.manifests, teamA, deployment("team-a", "web", `downscaler/exclude: "true"`))...)
			if f := one(t, report, "policy-without-binding", "simulate as-user"); f.Subject.Name != test.policy || f.Severity != High {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestPolicyWithoutBindingSilent(t *testing.T) {
	requireUptime := guard{
		name: "require-uptime", resources: []string{"apps/deployments"}, unbound: true,
		condition: "!has(object.metadata.annotations) || !('downscaler/uptime' in object.metadata.annotations)",
	}
	for name, manifests := range map[string][]any{
		"all bound":                 {chartLike(true)},
		"another tool's":            {chartLike(false), requireLabels},
		"requires an annotation":    {chartLike(false), requireUptime},
		"requires one that is held": {chartLike(false), requireUptime, deployment("team-a", "another", "downscaler/uptime: always")},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, teamA, deployment("team-a", "web", ""))...), "policy-without-binding")
		})
	}
}

func TestBindingWithoutPolicy(t *testing.T) {
	for name, dangling := range map[string]guard{
		"named alike":       {name: "guard-annotations-mutations", unpoliced: true},
		"of the other kind": {name: "guard-annotations-additions", mutating: true, unpoliced: true},
		"speaks of it":      {name: "go-kube-downscaler-removals", unpoliced: true},
		"labelled":          {name: "x", labels: "app.kubernetes.io/part-of: downscaler", unpoliced: true},
	} {
		t.Run(name, func(t *testing.T) {
			report := auditOf(t, chartLike(false), dangling, teamA, deployment("team-a", "web", ""))
			f := one(t, report, "binding-without-policy", "policies list") // the other policies prevent every change
			if f.Subject.Name != dangling.name+"-binding" || f.Subject.Field != "spec.policyName" || !strings.Contains(f.Message, dangling.name) {
				t.Errorf("%+v", f)
			}
		})
	}
}

// Where nothing else is there, the change that passes is the evidence.
func TestBindingWithoutPolicyAlone(t *testing.T) {
	report := auditOf(t, guard{name: "go-kube-downscaler-removals", unpoliced: true}, teamA, deployment("team-a", "web", ""))
	one(t, report, "binding-without-policy", "simulate as-user")
}

func TestBindingWithoutPolicySilent(t *testing.T) {
	for name, manifests := range map[string][]any{
		"all there":               {chartLike(true)},
		"another tool's":          {chartLike(false), bindingOf("require-labels", "[Deny]"), bindingOf("guard-images", "[Deny]")},
		"without policy or guard": {bindingOf("disallow-latest-tag", "[Deny]")},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, teamA, deployment("team-a", "web", ""))...), "binding-without-policy")
		})
	}
}

func TestBindingDoesNotDeny(t *testing.T) {
	for _, actions := range []string{"[Warn]", "[Audit]", "[Warn, Audit]"} {
		report := auditOf(t, guard{name: "g", resources: everyResource, actions: actions}, teamA, deployment("team-a", "web", ""))
		f := one(t, report, "binding-does-not-deny", "simulate as-user", "--set downscaler/exclude=true")
		if f.Subject.Name != "g-binding" || !strings.Contains(f.Message, strings.ReplaceAll(actions, ",", "")) {
			t.Errorf("%+v", f)
		}
	}
}

// The finding says how far the hole goes; the one change in the evidence is an example.
func TestBindingDoesNotDenyReach(t *testing.T) {
	objects := []any{teamA, deployment("team-a", "web", "downscaler/uptime: always"), deployment("team-a", "api", ""), nightly}
	noted := func(removals bool) guard {
		return guard{name: "g", resources: everyResource, actions: "[Warn]", removals: removals}
	}
	for name, test := range map[string]struct {
		manifests []any
		want      string
	}{
		"additions": {[]any{noted(false)}, "to an ordinary user's creations, additions and edits on 1 namespace and 3 objects in team-a,"},
		"removals": {
			[]any{noted(true)},
			"removals on 1 namespace and 3 objects in team-a, and they are stored nevertheless: for example the removal of downscaler/uptime from deployments.apps/web in team-a.",
		},
		"two namespaces":  {[]any{noted(true), deployment("b", "x", "")}, " 4 objects in b and team-a,"},
		"many namespaces": {[]any{noted(true), deployment("b", "x", ""), deployment("c", "x", ""), deployment("d", "x", ""), deployment("d", "x2", "")}, " 7 objects in 4 namespaces,"},
	} {
		t.Run(name, func(t *testing.T) {
			report := auditOf(t, append(test.manifests, objects...)...)
			if f := one(t, report, "binding-does-not-deny"); !strings.Contains(f.Message, test.want) {
				t.Errorf("%s lacks %s", f.Message, test.want)
			}
		})
	}
}

func TestBindingDoesNotDenySilent(t *testing.T) {
	noting := strings.ReplaceAll(bindingOf("guard-annotations-additions", "[Audit]"), "additions-binding", "additions-log")
	for name, manifests := range map[string][]any{
		"denies":                   {chartLike(false)},
		"denies and audits":        {guard{name: "g", resources: everyResource, actions: "[Deny, Audit]"}},
		"another binding denies":   {chartLike(false), noting},
		"another policy denies":    {chartLike(false), guard{name: "softly", resources: everyResource, actions: "[Warn]"}},
		"warns of something else":  {chartLike(false), requireLabels, bindingOf("require-labels", "[Warn]")},
		"else, and nothing denies": {requireLabels, bindingOf("require-labels", "[Warn]")},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, teamA, deployment("team-a", "web", ""))...), "binding-does-not-deny")
		})
	}
}
