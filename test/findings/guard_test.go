package findings

import (
	"fmt"
	"strings"
)

// guard is a validating policy that denies every change of a downscaler/ annotation by anyone but some, with its binding. What a
// situation needs is changed in it.
type guard struct {
	name      string // of the policy and the binding; guard
	resources string // of its only rule, in YAML's flow form; [deployments]
	groups    string // [apps]
	exempt    string // a CEL expression of the requester that lets pass; false
	actions   string // [Deny]
	failure   string // Fail
	selector  string // the binding's matchResources, in YAML's flow form
}

func (g guard) String() string {
	or := func(text, fallback string) string {
		if text == "" {
			return fallback
		}
		return text
	}
	var b strings.Builder
	name := or(g.name, "guard")
	fmt.Fprintf(&b, `
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: %[1]s}
spec: {policyName: %[1]s, validationActions: %[2]s, matchResources: {%[3]s}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: %[1]s}
spec:
  failurePolicy: %[4]s
  matchConstraints:
    resourceRules:
    - {apiGroups: %[5]s, apiVersions: ["*"], resources: %[6]s, operations: [CREATE, UPDATE]}
  matchConditions:
  - {name: not-authorised, expression: %[7]q}
  variables:
  - {name: new, expression: "has(object.metadata.annotations) ? object.metadata.annotations.transformMap(k, v, k.startsWith('downscaler/'), v) : {}"}
  - {name: old, expression: "oldObject != null && has(oldObject.metadata.annotations) ? oldObject.metadata.annotations.transformMap(k, v, k.startsWith('downscaler/'), v) : {}"}
  validations:
  - {expression: "variables.new == variables.old", message: only the platform team changes downscaler/ annotations}
`, name, or(g.actions, "[Deny]"), g.selector, or(g.failure, "Fail"), or(g.groups, "[apps]"), or(g.resources, "[deployments, deployments/status]"), "!("+or(g.exempt, "false")+")")
	return b.String()
}
