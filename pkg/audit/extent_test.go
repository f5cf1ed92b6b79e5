package audit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The kinds always count, and namespaces where a selector chooses them.
func TestReach(t *testing.T) {
	teamB := strings.ReplaceAll(teamA, "team-a", "team-b")
	objects := []any{labelled(teamA, "kubernetes.io/metadata.name: team-a"), labelled(teamB, "kubernetes.io/metadata.name: team-b"), deployment("team-a", "web", ""), deployment("team-b", "web", "")}
	warning := exempting("false")
	warning.actions, warning.resources = "[Warn]", []string{"apps/deployments"}
	selecting := warning
	selecting.selector = `matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, values: [team-b]}]`
	both := warning
	both.selector = `matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, values: [team-a, team-b]}]`
	for name, test := range map[string]struct {
		guard guard
		want  Extent
	}{
		"everywhere":     {warning, Extent{Kinds: []string{"deployments.apps"}, EveryNamespace: true}},
		"one namespace":  {selecting, Extent{Kinds: []string{"deployments.apps"}, Namespaces: []string{"team-b"}}},
		"two namespaces": {both, Extent{Kinds: []string{"deployments.apps"}, Namespaces: []string{"team-a", "team-b"}}},
	} {
		t.Run(name, func(t *testing.T) {
			f := one(t, auditOf(t, append([]any{test.guard}, objects...)...), "binding-does-not-deny")
			if diff := cmp.Diff(&test.want, f.Reach); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A rule that is taken out of the policy against removals makes the same finding wider.
func TestReachOfRemovals(t *testing.T) {
	objects := []any{teamA, deployment("team-a", "web", `downscaler/exclude: "true"`), nightly}
	policies := chartLike(false)
	narrow := one(t, auditOf(t, append([]any{policies[0], func() guard { g := policies[1]; g.resources = []string{"apps/deployments", "/namespaces"}; return g }()}, objects...)...), "removal-not-prevented")
	wide := one(t, auditOf(t, append([]any{policies[0], func() guard { g := policies[1]; g.resources = []string{"/namespaces"}; return g }()}, objects...)...), "removal-not-prevented")
	if narrow.Fingerprint() != wide.Fingerprint() {
		t.Fatal("they are two findings")
	}
	if diff := cmp.Diff(&Extent{Kinds: []string{"deployments.apps"}}, wide.Reach.Beyond(narrow.Reach)); diff != "" || narrow.Reach.Beyond(wide.Reach) != nil {
		t.Errorf("%s; %+v, %+v", diff, wide.Reach, narrow.Reach)
	}
}
