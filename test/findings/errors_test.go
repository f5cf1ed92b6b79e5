package findings

import "testing"

const errorsIgnored = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: guard}
spec: {policyName: guard, validationActions: [Deny]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: guard}
spec:
  failurePolicy: Ignore
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: [deployments, deployments/status]}]
  matchConditions:
  - name: added
    expression: >-
      has(object.metadata.annotations) && object.metadata.annotations.exists(k, k.startsWith("downscaler/") &&
      (`

// The condition as the downscaler's documentation has it fails on every creation with an annotation.
func TestPolicyErrorsIgnored(t *testing.T) {
	situation{
		rule: "policy-errors-ignored", subject: "guard spec.matchConditions[0].expression",
		open:   errorsIgnored + `oldObject != null || !(k in oldObject.metadata.annotations)))` + "\n  validations: [{expression: 'false'}]\n",
		closed: errorsIgnored + `oldObject == null || !(k in oldObject.metadata.?annotations.orValue({}))))` + "\n  validations: [{expression: 'false'}]\n",
		ask:    []string{"deploy/web", "-n", "NS", "--operation", "create", "--set", "exclude=true"},
	}.try(t)
}
