package policy

import (
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// TestSpoiledObject mutates an object into what is none any more. The API server fails then, whatever the failurePolicy says.
func TestSpoiledObject(t *testing.T) {
	policies := &inventory.Policies{
		Mutating: []*admissionregistrationv1.MutatingAdmissionPolicy{parse[admissionregistrationv1.MutatingAdmissionPolicy](t, `
metadata: {name: spoil}
spec:
  failurePolicy: Ignore
  reinvocationPolicy: Never
  matchConstraints:
    matchPolicy: Equivalent
    namespaceSelector: {}
    objectSelector: {}
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: ["*"], resources: [deployments], scope: "*"}]
  mutations:
  - patchType: JSONPatch
    jsonPatch: {expression: "[JSONPatch{op: 'add', path: '/metadata/labels', value: 'no map'}]"}
`)},
		MutatingBindings: []*admissionregistrationv1.MutatingAdmissionPolicyBinding{
			parse[admissionregistrationv1.MutatingAdmissionPolicyBinding](t, "metadata: {name: spoil}\nspec: {policyName: spoil}"),
		},
	}
	_, verdict := compile(t, teamA(), policies).Mutate(t.Context(), request("dev", nil, deployment()))
	if len(verdict.Statuses) != 1 || verdict.Statuses[0].Code != 500 {
		t.Fatalf("statuses %+v", verdict.Statuses)
	}
	if len(verdict.Steps) != 1 || verdict.Steps[0].Decision != Error {
		t.Errorf("no step says why: %+v", verdict.Steps)
	}
}
