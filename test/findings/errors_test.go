package findings

import (
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

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
var errorSituations = []situation{ignoredErrors, refusingErrors}

var ignoredErrors = situation{
	rule: "policy-errors-ignored", subject: "guard spec.matchConditions[0].expression",
	leak:   "Creating a Deployment with an annotation, where the condition reads `oldObject`, which is null then",
	mend:   "a condition that asks for `oldObject == null` first",
	open:   errorsIgnored + `oldObject != null || !(k in oldObject.metadata.annotations)))` + "\n  validations: [{expression: 'false'}]\n",
	closed: errorsIgnored + `oldObject == null || !(k in oldObject.metadata.?annotations.orValue({}))))` + "\n  validations: [{expression: 'false'}]\n",
	ask:    []string{"deploy/web", "-n", "NS", "--operation", "create", "--set", "exclude=true"},
}

// A guard that reads an annotation which is hardly ever there refuses what it is not about.
var refusingErrors = situation{
	rule: "policy-always-fails", subject: "ValidatingAdmissionPolicy guard",
	leak: "Adding an annotation that is not the downscaler's is refused, where the guard reads one that is not there", mend: "a condition that holds without it",
	open: guard{exempt: "object.metadata.annotations['guard.example/skip'] == 'true'"}.String(), closed: guard{}.String(),
	leaks: func(t *testing.T, p place) bool {
		t.Helper()
		return p.outcome(t, "deploy/web", "-n", "NS", "--set", "example.com/owner=a") == simulate.Blocked
	},
	proof: refusedAgain,
}
