package audit

import (
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

func TestRemovalNotPrevented(t *testing.T) {
	for _, mutating := range []bool{false, true} {
		additions := chartLike(mutating)[0]
		report := auditOf(t, additions, teamA, deployment("team-a", "web", ""), deployment("team-a", "held", "downscaler/uptime: always"), nightly)
		f := one(t, report, "removal-not-prevented", "deployments.apps/held -n team-a --remove downscaler/uptime")
		if f.Subject.Name != additions.name || !strings.Contains(f.Message, "cronjobs.batch (1), deployments.apps (2) and namespaces (1)") {
			t.Errorf("%+v", f)
		}
		report = auditOf(t, additions, teamA, deployment("team-a", "web", ""))
		one(t, report, "removal-not-prevented", "audit -n team-a") // nothing carries an annotation
	}
}

// A namespace's own evidence is the audit that makes the change on a copy; where another namespace carries an annotation, its removal is.
func TestRemovalNotPreventedInAPart(t *testing.T) {
	held := strings.Replace(teamA, "name: team-a", "name: held, annotations: {downscaler/uptime: always}", 1)
	report := auditWith(t, Options{Query: inventory.Query{Namespace: "team-a"}}, chartLike(false)[0], teamA, held)
	one(t, report, "removal-not-prevented", "simulate as-user nobody@ordinary.invalid namespaces/held --remove downscaler/uptime")
}

func TestRemovalNotPreventedRemedy(t *testing.T) {
	additions, removals := chartLike(false)[0], chartLike(false)[1]
	removals.resources = []string{"apps/deployments"}
	unbound, exempt, selecting := removals, removals, chartLike(false)[1]
	selecting.selector = "matchLabels: {team: b}"
	unbound.unbound, exempt.exempt = true, ".*"
	excluding := strings.ReplaceAll(removals.String(), "matchConstraints:", "matchConstraints:\n    excludeResourceRules: [{apiGroups: [''], apiVersions: ['*'], operations: ['*'], resources: [namespaces]}]")
	const anew, existing = "Add a policy that refuses or restores removals for", "Add namespaces to the resourceRules of ValidatingAdmissionPolicy guard-annotations-removals, for UPDATE"
	for name, test := range map[string]struct {
		removals any
		want     string
	}{
		"none":               {"", anew},
		"one lacks a rule":   {removals, existing},
		"one excludes them":  {excluding, existing},
		"one is unbound":     {unbound, anew},
		"one selects others": {selecting, anew},
		"one exempts all":    {exempt, anew},
	} {
		t.Run(name, func(t *testing.T) {
			f := one(t, auditOf(t, additions, test.removals, teamA, deployment("team-a", "web", "")), "removal-not-prevented")
			if !strings.HasPrefix(f.Remedy, test.want) || !strings.HasSuffix(f.Remedy, ".onNamespace.preventRemoval, beside enabled).") {
				t.Error(f.Remedy)
			}
		})
	}
}

func TestRemovalNotPreventedSilent(t *testing.T) {
	for name, manifests := range map[string][]any{
		"prevented":        {chartLike(false)},
		"restored":         {chartLike(true)},
		"no guard":         {},
		"edits not either": {guard{name: "g", resources: everyResource, actions: "[Warn]"}},
		"warned of":        {chartLike(false)[0], guard{name: "g", resources: everyResource, removals: true, actions: "[Warn]"}},
		"removals only":    {chartLike(false)[1]},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, teamA, deployment("team-a", "web", ""))...), "removal-not-prevented")
		})
	}
}
