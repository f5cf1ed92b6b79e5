package audit

import (
	"strings"
	"testing"
)

// adds is a mutating webhook that is called for Deployments.
const adds = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: adds}
webhooks:
- name: adds.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {url: "https://webhook.example/"}
  rules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
`

func TestMutationWithoutBackstop(t *testing.T) {
	mutating, validating := chartLike(true), chartLike(false)
	validating[0].name, validating[1].name = "block-additions", "block-removals"
	warning := validating[0]
	warning.actions = "[Warn]"
	fewer := validating[0]
	fewer.resources = []string{"apps/deployments"}
	const additions, removals = "creations, additions and edits of ", "removals of "
	for name, test := range map[string]struct {
		manifests []any
		want      map[string]string // policy: what is taken back
		severity  Severity
		message   string
	}{
		"nothing behind": {
			[]any{mutating},
			map[string]string{"guard-annotations-additions": additions + "deployments.apps and namespaces", "guard-annotations-removals": removals + "deployments.apps and namespaces"},
			Low, "None is there today",
		},
		"a webhook": {
			[]any{mutating, adds},
			map[string]string{"guard-annotations-additions": additions + "deployments.apps and namespaces", "guard-annotations-removals": removals + "deployments.apps and namespaces"},
			Medium, "MutatingWebhookConfiguration adds",
		},
		"removals have one": {
			[]any{mutating, validating[1]}, map[string]string{"guard-annotations-additions": additions + "deployments.apps and namespaces"}, Low, "",
		},
		"one that warns": {
			[]any{mutating, warning, validating[1]}, map[string]string{"guard-annotations-additions": additions + "deployments.apps and namespaces"}, Low, "",
		},
		"not for namespaces": {
			[]any{mutating, fewer, validating[1]}, map[string]string{"guard-annotations-additions": additions + "namespaces"}, Low, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			report := auditOf(t, append(test.manifests, teamA, deployment("team-a", "web", ""))...)
			findings := found(report, "mutation-without-backstop")
			if len(findings) != len(test.want) {
				t.Fatalf("%+v", findings)
			}
			for _, f := range findings {
				if want, is := test.want[f.Subject.Name]; !is || !strings.Contains(f.Message, want+", and") || !strings.Contains(f.Message, test.message) || f.Severity != test.severity {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

func TestMutationWithoutBackstopSilent(t *testing.T) {
	validating := chartLike(false)
	validating[0].name, validating[1].name = "block-additions", "block-removals"
	for name, manifests := range map[string][]any{
		"no policy":            {},
		"validating":           {chartLike(false), adds},
		"both":                 {chartLike(true), validating, adds},
		"hardened":             {hardened(t), adds},
		"mutates other things": {writes("labels", never, `Object{metadata: Object.metadata{labels: {"x": "1"}}}`), adds},
		"sets an annotation":   {writes("sets", never, annotates(`"downscaler/uptime": "always"`)), adds},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, teamA, deployment("team-a", "web", ""))...), "mutation-without-backstop")
		})
	}
}
