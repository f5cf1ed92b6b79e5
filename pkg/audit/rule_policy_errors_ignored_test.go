package audit

import (
	"strings"
	"testing"
)

const (
	// documented is the condition as the downscaler's documentation prints it: on CREATE it reads oldObject, which is null.
	documented = `has(object.metadata.annotations) && object.metadata.annotations.exists(k, k.startsWith('downscaler/') && (oldObject != null || !(k in oldObject.metadata.annotations)))`
	// unguarded reads annotations that may be absent: of an object with no other one, the last annotation can be removed.
	unguarded = `oldObject != null && oldObject.metadata.annotations.exists(k, k.startsWith('downscaler/') && !(k in object.metadata.annotations))`
	// always reads oldObject whatever is asked.
	always = `object.metadata.?annotations.orValue({}) != oldObject.metadata.?annotations.orValue({}) && 'downscaler/' != ''`

	// restoresInTwo puts a map back that is dropped again while it is empty.
	restoresInTwo = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: restore}
spec:
  failurePolicy: Ignore
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments]}]
  matchConditions:
  - {name: removed, expression: "has(oldObject.metadata.annotations) && 'downscaler/exclude' in oldObject.metadata.annotations && !has(object.metadata.annotations)"}
  mutations:
  - {patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'add', path: '/metadata/annotations', value: {}}]"}}
  - {patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'add', path: '/metadata/annotations/downscaler~1exclude', value: 'true'}]"}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: restore}
spec: {policyName: restore}
`
)

func TestPolicyErrorsIgnored(t *testing.T) {
	plain, other := deployment("team-a", "web", ""), deployment("team-a", "web", "example.com/owner: a")
	for name, test := range map[string]struct {
		manifests               []any
		field, evidence         string
		message                 []string
		notInMessage, subjectOf string
	}{
		"the documented form": {
			[]any{guard{name: "g", resources: everyResource, condition: documented}, other},
			"spec.matchConditions[0].expression", "--operation create", []string{"creations of deployments.apps", "no such key"}, "additions", "g",
		},
		"a validation": {
			[]any{guard{name: "g", resources: everyResource, condition: "'downscaler/' != ''", validation: "!(" + documented + ")"}, other},
			"spec.validations[0].expression", "--operation create", []string{"creations of deployments.apps"}, "additions", "g",
		},
		"the last annotation": {
			[]any{guard{name: "g", removals: true, resources: everyResource, condition: unguarded}, other, deployment("team-a", "sleeper", "")},
			"spec.matchConditions[0].expression", "audit -n team-a", []string{"removals of deployments.apps", "no such key: annotations"}, "creations", "g",
		},
		"wherever it is asked": {
			[]any{guard{name: "g", resources: []string{"apps/deployments"}, validation: "object.metadata.labels['downscaler/'] == ''"}, plain},
			"spec.validations[0].expression", "simulate as-user", []string{"additions", "no such key"}, "removals", "g",
		},
		"a creation that fails with or without": {
			[]any{guard{name: "g", resources: everyResource, condition: always}, other},
			"spec.matchConditions[0].expression", "--operation create", []string{"creations"}, "edits", "g",
		},
		"a mutating policy": {
			[]any{restoresInTwo, deployment("team-a", "web", `downscaler/exclude: "true"`)},
			"spec.mutations[1]", "--remove downscaler/exclude", []string{"removals of deployments.apps"}, "additions", "restore",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := one(t, auditOf(t, append(test.manifests, teamA)...), "policy-errors-ignored", test.evidence)
			if f.Subject.Field != test.field || f.Subject.Name != test.subjectOf || f.Severity != High || strings.Contains(f.Message, test.notInMessage) {
				t.Errorf("%+v", f)
			}
			for _, part := range test.message {
				if !strings.Contains(f.Message, part) {
					t.Errorf("%q lacks %q", f.Message, part)
				}
			}
		})
	}
}

func TestPolicyErrorsIgnoredSilent(t *testing.T) {
	other := deployment("team-a", "web", "example.com/owner: a")
	for name, manifests := range map[string][]any{
		"no error":                 {chartLike(false)},
		"mutating":                 {chartLike(true)},
		"hardened":                 {hardened(t)},
		"it fails closed":          {guard{name: "g", resources: everyResource, condition: documented, failure: "Fail"}},
		"another policy stops it":  {guard{name: "g", resources: everyResource, condition: documented}, guard{name: "h", resources: everyResource}},
		"it only warns":            {guard{name: "g", resources: everyResource, condition: documented, actions: "[Warn]"}},
		"removals, on creations":   {guard{name: "g", removals: true, resources: everyResource, condition: "has(oldObject.metadata.annotations) && " + removed}},
		"it does not compile":      {guard{name: "g", resources: everyResource, condition: "'downscaler/' + 1 == ''"}},
		"another tool's":           {guard{name: "g", resources: everyResource, condition: "object.metadata.annotations['example.com/cost'] == 'x'"}},
		"another tool's, and ours": {chartLike(false), guard{name: "g", resources: everyResource, condition: "object.metadata.annotations['example.com/cost'] == 'x'"}},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, teamA, other)...), "policy-errors-ignored")
		})
	}
}
