package findings

const elsewhere = `
apiVersion: v1
kind: Namespace
metadata: {name: NS-guarded}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS-guarded}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: web}]}}
`

var namespaceSituations = []situation{
	{
		rule: "namespace-excluded", subject: "guard spec.matchResources.namespaceSelector", world: elsewhere,
		leak: "Adding an annotation in a namespace that the binding's selector leaves out", mend: "no selector",
		open:   guard{selector: "namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [NS]}]}"}.String(),
		closed: guard{}.String(), ask: addition,
	},
	{
		rule: "namespace-annotations-not-covered", subject: "Namespace",
		leak: "Adding an annotation to a Namespace, where the rules list Deployments alone", mend: "rules for namespaces and their subresources",
		open:   guard{}.String(),
		closed: guard{groups: `[apps, ""]`, resources: "[deployments, deployments/status, namespaces, namespaces/status, namespaces/finalize]"}.String(),
		ask:    []string{"ns/NS", "--set", "exclude=true"},
	},
}
