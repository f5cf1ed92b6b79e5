package findings

import (
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// The chart's templates are nowhere run: what becomes of values is known to an audit alone.
var valuesAgain = foundAgain("there is no request that the values' mistake is about, since what was meant is what is simulated")

const onWorkloads = "annotationsCompliance:\n  onWorkloads: {enabled: true}\n"

// carrying is a namespace with an annotation, beside the Deployment that has one.
const carrying = held + `
---
apiVersion: v1
kind: Namespace
metadata: {name: NS-carrier, annotations: {downscaler/uptime: always}}
`

var valuesSituations = []situation{
	{
		rule: "values-removal-without-enabled", proposed: values("removal-other-scope.yaml"), subject: "annotationsCompliance.onWorkloads.preventRemoval",
		leak:  "Removing an annotation from a Deployment, with `onWorkloads.preventRemoval` and without `onWorkloads.enabled`",
		mend:  "`onWorkloads.enabled: true`",
		world: held, settled: true, ask: removal, proof: valuesAgain,
		closed: "annotationsCompliance:\n  onWorkloads: {enabled: true, preventRemoval: true}\n  onNamespace: {enabled: true, preventRemoval: true}\n",
	},
	{
		rule: "values-removal-scopes-coupled", proposed: values("both-removal-workloads.yaml"), subject: "annotationsCompliance.onWorkloads.preventRemoval",
		leak:  "Removing an annotation from a Namespace is refused, though the values prevent it on workloads alone",
		mend:  "`preventRemoval` alike in both scopes",
		world: carrying, settled: true, proof: valuesAgain,
		closed: "annotationsCompliance:\n  onWorkloads: {enabled: true}\n  onNamespace: {enabled: true}\n",
		leaks: func(t *testing.T, p place) bool {
			t.Helper()
			return p.outcome(t, "ns/NS-carrier", "--remove", "downscaler/uptime") == simulate.Blocked
		},
	},
	{
		rule: "values-actions-list", proposed: values("actions-several.yaml"), subject: "annotationsCompliance.validationActions",
		leak: "Adding an annotation: the API server refuses the binding with the action `Deny Audit`, and the policy is without one",
		mend: "one action, `[Deny]`", ask: addition, proof: valuesAgain, closed: onWorkloads + "  validationActions: [Deny]\n",
	},
	{
		rule: "values-pattern-quoting", variant: "backslash", proposed: values("backslash.yaml"), subject: "annotationsCompliance.authorizedUsersRegex",
		leak: "Adding an annotation: the API server refuses the policies with the pattern `^ops\\.adm$`",
		mend: "the backslash twice", ask: addition, proof: valuesAgain, closed: onWorkloads + "  authorizedUsersRegex: ['^ops\\\\.adm$']\n",
	},
	{
		rule: "values-pattern-quoting", variant: "closing-quote", proposed: values("double-quote-closing.yaml"), subject: "annotationsCompliance.authorizedUsersRegex",
		leak: "Adding an annotation by anyone: the pattern ends the CEL string, and what follows lets everybody through",
		mend: "a pattern without quotes", ask: addition, proof: valuesAgain, closed: onWorkloads + "  authorizedUsersRegex: ['^x$']\n",
	},
	{
		rule: "values-service-accounts-with-mutation", proposed: values("mutate-service-accounts.yaml"), subject: "annotationsCompliance.authorizedNamespacesToServiceAccountsRegex",
		leak: "Adding an annotation: the chart does not render, and nothing is deployed",
		mend: "a guard that validates", ask: addition, proof: valuesAgain,
		closed: onWorkloads + "  authorizedNamespacesToServiceAccountsRegex: {team-a: [sa1]}\n",
	},
	{
		rule: "values-too-many-patterns", proposed: values("patterns-63.yaml"), subject: "annotationsCompliance",
		leak: "Adding an annotation: the API server refuses policies with 65 matchConditions",
		mend: "the names in one pattern", ask: addition, proof: valuesAgain,
		closed: onWorkloads + "  authorizedUsersRegex: ['^(?:user[1-9]|user[1-5][0-9]|user6[0-3])$']\n",
	},
	{
		rule: "values-kubernetes-version", proposed: proposed{"--values", "both.yaml", "v1.33.9"}, subject: "annotationsCompliance",
		leak: "Adding an annotation: the chart does not render for Kubernetes 1.33, and nothing is deployed",
		mend: "the same values for the API server's own version", ask: addition, proof: valuesAgain,
		closed: "annotationsCompliance:\n  onWorkloads: {enabled: true}\n  onNamespace: {enabled: true}\n",
	},
}

var versionSituations = []situation{
	{
		rule: "policy-api-not-served", variant: "manifests", proposed: manifests, subject: "MutatingAdmissionPolicy strip apiVersion",
		leak: "Adding an annotation: the API server does not have the `v1beta1` that a mutating policy is written in",
		mend: "the same policy in `v1`", ask: addition,
		open:   strings.ReplaceAll(strip, "admissionregistration.k8s.io/v1\n", "admissionregistration.k8s.io/v1beta1\n"),
		closed: strip,
		proof:  foundAgain("a simulation takes the policy as if it were deployed"),
	},
	{
		rule: "policy-api-not-served", variant: "values", proposed: values("mutate.yaml"), subject: "MutatingAdmissionPolicy",
		leak: "Adding an annotation: the API server does not have the `v1beta1` that the chart writes mutating policies in",
		mend: "a guard that validates", ask: addition, closed: onWorkloads,
		proof: foundAgain("a simulation takes the policy as if it were deployed"),
	},
	{
		rule: "policy-does-not-compile", proposed: manifests, subject: "guard spec.validations[0].expression",
		leak: "Adding an annotation: the API server refuses the policy, whose expression names a variable that is not there",
		mend: "the variable's name", ask: addition,
		open:   strings.Replace(guard{failure: "Ignore"}.String(), "variables.new == variables.old", "variables.new == variables.older", 1),
		closed: guard{failure: "Ignore"}.String(),
	},
}
