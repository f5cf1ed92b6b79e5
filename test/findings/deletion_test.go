package findings

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

var deletionSituations = []situation{{
	rule: "delete-and-recreate", says: "deployments.apps", world: held, settled: true,
	leak: "Deleting a Deployment that carries an annotation", mend: "a policy that denies the deletion",
	open: guard{}.String(), closed: guard{}.String() + refusesDeletion,
	ask: []string{"deploy/held", "-n", "NS", "--operation", "delete"},
}}
