package findings

import "strings"

const byParameter = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: guard}
spec: {policyName: guard, validationActions: [Deny], paramRef: {name: exempt, namespace: NS, parameterNotFoundAction: ACTION}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: guard}
spec:
  failurePolicy: Fail
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments]}]
  matchConditions: [{name: not-authorised, expression: request.userInfo.username != params.data.user}]
  validations: [{expression: '!object.metadata.?annotations.orValue({}).exists(k, k.startsWith("downscaler/"))'}]
`

const exemptUser = `
---
apiVersion: v1
kind: ConfigMap
metadata: {name: exempt, namespace: NS}
data: {user: platform}
`

var parameterSituations = []situation{{
	rule: "parameter-missing", subject: "ValidatingAdmissionPolicyBinding guard spec.paramRef", says: `ConfigMap "exempt" in namespace NS`,
	leak: "Adding an annotation, where the ConfigMap that `paramRef` names is not there", mend: "the ConfigMap, and `parameterNotFoundAction: Deny`",
	open:   strings.Replace(byParameter, "ACTION", "Allow", 1),
	closed: strings.Replace(byParameter, "ACTION", "Deny", 1) + exemptUser,
	ask:    addition,
}}
