package findings

import "strings"

const statefulSet = `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: NS}
spec:
  selector: {matchLabels: {app: db}}
  template: {metadata: {labels: {app: db}}, spec: {containers: [{name: main, image: db}]}}
`

var removal = []string{"deploy/held", "-n", "NS", "--remove", "downscaler/uptime"}

// What the rules of a guard, or its expressions, leave out.
var coveredSituations = []situation{
	{
		rule: "kind-not-covered", subject: "StatefulSet", world: statefulSet,
		leak: "Adding an annotation to a StatefulSet, where the rules list Deployments alone", mend: "a rule for StatefulSets",
		open: guard{}.String(), closed: guard{resources: "[deployments, deployments/status, statefulsets, statefulsets/status]"}.String(),
		ask: []string{"statefulset/db", "-n", "NS", "--set", "exclude=true"},
	},
	{
		rule: "subresource-not-covered", subject: "guard spec.matchConstraints.resourceRules", says: "deployments.apps/status",
		leak: "Adding an annotation through `deployments/status`", mend: "`deployments/status` in the rules",
		open: guard{resources: "[deployments]"}.String(), closed: guard{}.String(),
		ask: append([]string{"--subresource", "status"}, addition...),
	},
	{
		rule: "change-not-covered", subject: "guard",
		leak: "Creating a Deployment with an annotation, where the rules list `UPDATE` alone", mend: "`CREATE` in the rules",
		open: strings.Replace(guard{}.String(), "operations: [CREATE, UPDATE]", "operations: [UPDATE]", 1), closed: guard{}.String(),
		ask: append([]string{"--operation", "create"}, addition...),
	},
	{
		rule: "removal-not-prevented", subject: "guard", world: held, settled: true,
		leak: "Removing an annotation, where additions and edits alone are denied", mend: "a validation that compares both ways",
		open: strings.Replace(guard{}.String(), "variables.new == variables.old", "variables.new.all(k, k in variables.old && variables.old[k] == variables.new[k])", 1), closed: guard{}.String(),
		ask: removal,
	},
}
