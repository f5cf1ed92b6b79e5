package findings

import "strings"

var addition = []string{"deploy/web", "-n", "NS", "--set", "exclude=true"}

// bindingOf and policyOf are the guard's two halves.
func halves(g guard) (binding, policy string) {
	parts := strings.Split(g.String(), "\n---\n")
	return parts[1], parts[2]
}

func bindingOf(g guard) string {
	binding, _ := halves(g)
	return binding
}

func policyOf(g guard) string {
	_, policy := halves(g)
	return policy
}

var bindingSituations = []situation{
	{
		rule: "no-policy",
		leak: "Adding an annotation, where there is no policy", mend: "a policy with a binding that denies",
		closed: guard{}.String(), ask: addition,
	},
	{
		rule: "no-policy", variant: "another-policy", subject: "ValidatingAdmissionPolicy",
		leak: "Adding an annotation to the Namespace, where another policy refuses every change of Deployments", mend: "a policy with a binding that denies",
		open: frozen, closed: frozen + "\n---\n" + guard{groups: `["", apps]`, resources: "[namespaces, deployments]"}.String(), ask: []string{"ns/NS", "--set", "exclude=true"},
		says: "At present ValidatingAdmissionPolicy freeze refuses creations, additions, edits and removals of",
	},
	{
		rule: "policy-without-binding", subject: "ValidatingAdmissionPolicy guard",
		leak: "Adding an annotation, where no binding names the policy", mend: "the binding",
		open: policyOf(guard{}), closed: guard{}.String(), ask: addition,
	},
	{
		rule: "binding-without-policy", subject: "ValidatingAdmissionPolicyBinding downscaler-guard spec.policyName",
		leak: "Adding an annotation, where the policy that the binding names is not there", mend: "the policy",
		open: bindingOf(guard{name: "downscaler-guard"}), closed: guard{name: "downscaler-guard"}.String(), ask: addition,
	},
	{
		rule: "binding-does-not-deny", subject: "guard",
		leak: "Adding an annotation, where the binding's action is `Warn`", mend: "the action `Deny`",
		open: guard{actions: "[Warn]"}.String(), closed: guard{}.String(), ask: addition,
	},
}

// frozen has nothing to do with annotations: it refuses every change of a Deployment.
const frozen = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: freeze}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]}
  validations: [{expression: "false"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: freeze}
spec: {policyName: freeze, validationActions: [Deny]}
`
