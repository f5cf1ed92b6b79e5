package audit

import (
	"strings"
	"testing"
)

// warnsAlways warns of every request for Deployments, whatever is in it.
var warnsAlways = guard{name: "warns", resources: []string{"apps/deployments"}, condition: "true", actions: "[Warn]"}

func TestSilentMutation(t *testing.T) {
	for name, test := range map[string]struct {
		manifests []any
		kinds     string
	}{
		"no warning":          {[]any{chartLike(true)}, "deployments.apps and namespaces"},
		"a warning elsewhere": {[]any{chartLike(true), warnsAlways}, "of namespaces,"},
	} {
		t.Run(name, func(t *testing.T) {
			findings := found(auditOf(t, append(test.manifests, teamA, deployment("team-a", "web", ""))...), "silent-mutation")
			if len(findings) != 2 {
				t.Fatalf("%+v", findings)
			}
			for i, changes := range []string{"creations, additions and edits of ", "removals of "} {
				if f := findings[i]; f.Severity != Low || !strings.Contains(f.Message, changes) || !strings.Contains(f.Message, test.kinds) || !strings.Contains(f.Evidence, command) {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

func TestSilentMutationSilent(t *testing.T) {
	everywhere := warnsAlways
	everywhere.resources = everyResource
	for name, manifests := range map[string][]any{
		"no policy":          {},
		"validating":         {chartLike(false)},
		"hardened":           {hardened(t)},
		"a warning":          {chartLike(true), everywhere},
		"sets an annotation": {writes("sets", never, annotates(`"downscaler/uptime": "always"`))},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, teamA, deployment("team-a", "web", ""))...), "silent-mutation")
		})
	}
}
