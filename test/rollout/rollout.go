// Package rollout stands in for the Deployments' controller, which does not run beside an API server for tests.
package rollout

import (
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
)

const revision = `
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: %[1]s-%[2]d
  namespace: %[3]s
  labels: {app: web, pod-template-hash: "%[2]d"}
  annotations: {deployment.kubernetes.io/revision: "%[2]d"}
  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: %[1]s, uid: %[4]s, controller: true, blockOwnerDeletion: true}]
spec:
  replicas: 0
  selector: {matchLabels: {app: web, pod-template-hash: "%[2]d"}}
  template: {metadata: {labels: {app: web, pod-template-hash: "%[2]d"}}, spec: {containers: [{name: main, image: "web:%[2]d"}]}}
`

// Revisions are the manifests of the ReplicaSets of a Deployment's first n revisions, as the controller would have made them. They are named like
// the Deployment and the revision, web-1, and so are their images, web:1; the Deployment's Pods are labelled app: web.
func Revisions(deployment *appsv1.Deployment, n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(revision, deployment.Name, i+1, deployment.Namespace, deployment.UID))
	}
	return strings.Join(all, "---")
}
