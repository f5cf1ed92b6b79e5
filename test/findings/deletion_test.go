package findings

import "testing"

const refusesDeletion = `
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: keeps}
spec: {policyName: keeps, validationActions: [Deny]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: keeps}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [DELETE], resources: [deployments]}]
  validations: [{expression: '!oldObject.metadata.?annotations.orValue({}).exists(k, k.startsWith("downscaler/")) || request.userInfo.username != "tenant" && !request.userInfo.username.startsWith("nobody@")'}]
`

const held = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: held, namespace: NS, annotations: {downscaler/uptime: always}}
spec:
  selector: {matchLabels: {app: held}}
  template:
    metadata: {labels: {app: held}}
    spec: {containers: [{name: main, image: web}]}
`

func TestDeleteAndRecreate(t *testing.T) {
	if err := server.WaitForPolicies(t.Context()); err != nil { // another test's guard may still act, and refuse what carries an annotation
		t.Fatal(err)
	}
	situation{
		rule: "delete-and-recreate", says: "deployments.apps", world: held,
		open: guard{}.String(), closed: guard{}.String() + refusesDeletion,
		ask: []string{"deploy/held", "-n", "NS", "--operation", "delete"},
	}.try(t)
}
