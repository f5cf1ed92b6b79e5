package audit

import (
	"strings"
	"testing"
)

// refusesDeletion refuses to delete what carries an annotation.
const refusesDeletion = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: keeps}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [DELETE], resources: [deployments]}
    - {apiGroups: [""], apiVersions: [v1], operations: [DELETE], resources: [namespaces]}
  validations: [{expression: "!oldObject.metadata.?annotations.orValue({}).exists(k, k.startsWith('downscaler/'))", message: it has settings}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: keeps}
spec: {policyName: keeps, validationActions: [Deny]}
`

func TestDeleteAndRecreate(t *testing.T) {
	partly := strings.Replace(refusesDeletion, "    - {apiGroups: [\"\"], apiVersions: [v1], operations: [DELETE], resources: [namespaces]}\n", "", 1)
	held := deployment("team-a", "held", "downscaler/uptime: always")
	for name, test := range map[string]struct {
		manifests       []any
		kinds, evidence string
	}{
		"nothing has DELETE": {[]any{chartLike(false), held}, "is not: deployments.apps and namespaces.", "deployments.apps/held -n team-a --operation delete --past-authorization"},
		"restored":           {[]any{chartLike(true), held}, "is not: deployments.apps and namespaces.", "deployments.apps/held -n team-a --operation delete"},
		"one kind has":       {[]any{chartLike(false), partly}, "is not: namespaces.", "namespaces/team-a --operation delete"},
		"hardened":           {[]any{hardened(t), held}, "is not: deployments.apps and namespaces.", "--operation delete"},
	} {
		t.Run(name, func(t *testing.T) {
			f := one(t, auditOf(t, append(test.manifests, teamA, deployment("team-a", "web", ""))...), "delete-and-recreate", test.evidence)
			if f.Severity != Info || !strings.Contains(f.Message, test.kinds) {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestDeleteAndRecreateSilent(t *testing.T) {
	for name, manifests := range map[string][]any{
		"no policy":                {},
		"removals are not guarded": {chartLike(false)[0]},
		"both kinds have DELETE":   {chartLike(false), refusesDeletion},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, teamA, deployment("team-a", "web", ""))...), "delete-and-recreate")
		})
	}
}
