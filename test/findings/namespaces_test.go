package findings

import "testing"

func TestNamespaceExcluded(t *testing.T) {
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
	situation{
		rule: "namespace-excluded", subject: "guard spec.matchResources.namespaceSelector", world: elsewhere,
		open:   guard{selector: "namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [NS]}]}"}.String(),
		closed: guard{}.String(), ask: addition,
	}.try(t)
}
