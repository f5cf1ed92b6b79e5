package inventory

import (
	"strings"
	"testing"
)

const (
	lawfulPolicy = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  failurePolicy: Fail
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE]}]}
  validations: [{expression: "true"}]
`
	lawfulMutation = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: p}
spec:
  reinvocationPolicy: Never
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE]}]}
  mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[]"}}]
`
	lawfulBinding = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: b}
spec: {policyName: p, validationActions: [Deny, Audit], paramRef: {name: x, parameterNotFoundAction: Deny}}
`
)

// TestUnlawfulPolicies: what the API server refuses is never simulated as if it were in force.
func TestUnlawfulPolicies(t *testing.T) {
	cases := []struct{ manifest, from, to, field string }{
		{lawfulPolicy, "", "", ""},
		{lawfulMutation, "", "", ""},
		{lawfulBinding, "", "", ""},
		{lawfulPolicy, "validations: [{expression: \"true\"}]", "", "spec.validations"},
		{lawfulPolicy, "matchConstraints: {resourceRules", "matchConstraints: {excludeResourceRules", "spec.matchConstraints.resourceRules"},
		{lawfulPolicy, "operations: [CREATE]", "operation: CREATE", "spec.matchConstraints.resourceRules[0].operations"},
		{lawfulPolicy, "[CREATE]", "[create]", "spec.matchConstraints.resourceRules[0].operations[0]"},
		{lawfulPolicy, "failurePolicy: Fail", "failurePolicy: Deny", "spec.failurePolicy"},
		{lawfulPolicy, `expression: "true"`, `expression: " "`, "spec.validations[0].expression"},
		{lawfulPolicy, `expression: "true"`, `expression: "true", message: "one\ntwo"`, "spec.validations[0].message"},
		{lawfulPolicy, `expression: "true"`, `expression: "true", message: " "`, "spec.validations[0].message"},
		{lawfulPolicy, `expression: "true"`, `expression: "true", messageExpression: " "`, "spec.validations[0].messageExpression"},
		{lawfulPolicy, `expression: "true"`, `expression: "true", reason: Unauthorized`, "spec.validations[0].reason"},
		{lawfulMutation, "reinvocationPolicy: Never", "", "spec.reinvocationPolicy"},
		{lawfulMutation, "mutations: [{patchType: JSONPatch, jsonPatch: {expression: \"[]\"}}]", "", "spec.mutations"},
		{lawfulMutation, "patchType: JSONPatch", "patchType: ApplyConfiguration", "spec.mutations[0]"},
		{lawfulBinding, "policyName: p, ", "", "spec.policyName"},
		{lawfulBinding, "validationActions: [Deny, Audit], ", "", "spec.validationActions"},
		{lawfulBinding, "[Deny, Audit]", "[Deny, Warn]", "spec.validationActions"},
		{lawfulBinding, "[Deny, Audit]", "['[Deny Audit]']", "spec.validationActions[0]"},
		{lawfulBinding, "[Deny, Audit]", "[Audit, Audit]", "spec.validationActions[1]"},
		{lawfulBinding, ", parameterNotFoundAction: Deny", "", "spec.paramRef.parameterNotFoundAction"},
		{lawfulBinding, "name: x", "selector: {}, name: x", "spec.paramRef"},
	}
	for _, test := range cases {
		t.Run(test.field, func(t *testing.T) {
			if !strings.Contains(test.manifest, test.from) {
				t.Fatalf("the manifest lacks %q", test.from)
			}
			manifest := strings.Replace(test.manifest, test.from, test.to, 1)
			_, err := FromFiles(t.Context(), FileSource{Path: "p.yaml", Reader: strings.NewReader(manifest)})
			if test.field == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), "p.yaml") || !strings.Contains(err.Error(), ": "+test.field+": the API server would not store this") {
				t.Errorf("%v, want one about %s", err, test.field)
			}
		})
	}
}
