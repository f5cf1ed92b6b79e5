package findings

const typed = `
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
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments]}
    - {apiGroups: [""], apiVersions: [v1], operations: [UPDATE], resources: [namespaces]}
  validations:
  - expression: >-
      !object.metadata.?annotations.orValue({}).exists(k, k.startsWith("downscaler/") && !(k in oldObject.metadata.?annotations.orValue({}))) || `

// A Namespace has no spec.replicas: the expression fails for it, and the addition passes.
var typeSituations = []situation{{
	rule: "policy-type-error", subject: "guard spec.validations[0].expression", says: "undefined field 'replicas'",
	leak: "Adding an annotation to a Namespace, which does not have the `spec.replicas` that the expression reads", mend: "an expression that holds for every kind",
	open: typed + "object.spec.replicas < 0\n", closed: typed + "false\n",
	ask:   []string{"ns/NS", "--set", "exclude=true"},
	proof: prints("downscaler-compliance policies list", "undefined field 'replicas'"),
}}
