package audit

import (
	"strings"
	"testing"
)

func replicaSet(namespace string) string {
	return strings.Replace(deployment(namespace, "web-5c9f7d6b84", ""), "kind: Deployment", "kind: ReplicaSet", 1)
}

func TestReplicasetsNotCovered(t *testing.T) {
	for name, test := range map[string]struct {
		manifests []any
		evidence  string
	}{
		"one that is there": {[]any{chartLike(false), replicaSet("team-a")}, "simulate as-user nobody@ordinary.invalid replicasets.apps/web-5c9f7d6b84 -n team-a --set downscaler/exclude=true"},
		"a made-up one":     {[]any{chartLike(false)}, `"kind":"ReplicaSet","metadata":{"annotations":{"downscaler/exclude":"true"},"name":"compliance-probe","namespace":"team-a"}`},
		"one elsewhere":     {[]any{chartLike(false), replicaSet("team-b")}, `"kind":"ReplicaSet"`},
		"mutating":          {[]any{chartLike(true), replicaSet("team-a")}, "replicasets.apps/web-5c9f7d6b84"},
		"the chart's":       {[]any{rendered(t, false)}, `"kind":"ReplicaSet"`},
	} {
		t.Run(name, func(t *testing.T) {
			f := one(t, auditOf(t, append(test.manifests, teamA, deployment("team-a", "web", ""))...), "replicasets-not-covered", test.evidence)
			if f.Severity != Medium || f.Subject.Field != "spec.matchConstraints.resourceRules" || !strings.Contains(f.Message, "the addition of downscaler/exclude to deployments.apps/web in team-a") {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestReplicasetsNotCoveredSilent(t *testing.T) {
	both := guard{name: "g", resources: []string{"apps/deployments", "apps/replicasets"}}
	for name, manifests := range map[string][]any{
		"hardened":            {hardened(t)},
		"hardened and a set":  {hardened(t), replicaSet("team-a")},
		"listed":              {both},
		"listed and a set":    {both, replicaSet("team-a")},
		"deployments are not": {guard{name: "g", resources: []string{"apps/statefulsets"}}},
		"no guard":            {replicaSet("team-a")},
		"only a warning":      {guard{name: "g", resources: []string{"apps/deployments"}, actions: "[Warn]"}},
		"an order decides": {chartLike(false), replicaSet("team-a"),
			strings.ReplaceAll(guard{name: "strip", mutating: true, resources: []string{"apps/replicasets"}}.String(), "guard", "strip"),
			strings.ReplaceAll(writes("excludes", never, annotates(`"downscaler/exclude": "true"`)), "resources: [deployments]", "resources: [replicasets]")},
		"removals alone, with a set": {guard{name: "g", resources: []string{"apps/deployments"}, removals: true}, replicaSet("team-a")},
		"removals are prevented":     {guard{name: "g", resources: []string{"apps/deployments"}, removals: true}},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, teamA, deployment("team-a", "web", ""))...), "replicasets-not-covered")
		})
	}
}
