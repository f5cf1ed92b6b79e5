package e2e

import (
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

const revisions = `
apiVersion: v1
kind: Namespace
metadata: {name: NAMESPACE}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NAMESPACE, annotations: {deployment.kubernetes.io/revision: "2"}}
spec: {replicas: 0, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: "web:2"}]}}}
`

// revision is a ReplicaSet as the Deployments' controller would have made it: none runs here.
const revision = `
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: web-%[1]d
  namespace: %[2]s
  labels: {app: web, pod-template-hash: "%[1]d"}
  annotations: {deployment.kubernetes.io/revision: "%[1]d"}
  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: %[3]s, controller: true, blockOwnerDeletion: true}]
spec:
  replicas: 0
  selector: {matchLabels: {app: web, pod-template-hash: "%[1]d"}}
  template: {metadata: {labels: {app: web, pod-template-hash: "%[1]d"}}, spec: {containers: [{name: main, image: "web:%[1]d"}]}}
---
`

// TestGuardHoldsOverRollback: a tenant annotates the ReplicaSet of an old revision, and somebody who is meant rolls back to it. Under the plain
// guard the Deployment has the annotation then, and under the hardened one it has not.
func TestGuardHoldsOverRollback(t *testing.T) {
	var guards []rendered
	for _, mode := range []string{"validating", "mutating"} {
		guards = append(guards,
			render(t, "rollback-"+mode+"-plain", inMode(leaky["kinds"], mode), false),
			render(t, "rollback-"+mode+"-hardened", inMode(leaky["kinds"], mode), true))
	}
	forced := force(t, func(namespace string) string { return strings.ReplaceAll(revisions, "NAMESPACE", namespace) }, guards...)
	client, err := kubernetes.NewForConfig(server.Admin.Config)
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range forced {
		t.Run(name, func(t *testing.T) {
			deployments := client.AppsV1().Deployments(f.namespace)
			deployment, err := deployments.Get(t.Context(), "web", metav1.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			putUntilTheEnd(t, fmt.Sprintf(revision, 1, f.namespace, deployment.UID)+fmt.Sprintf(revision, 2, f.namespace, deployment.UID))

			leaks := strings.HasSuffix(name, "plain")
			annotate := kubectlAs(t, "dev", "-n", f.namespace, "annotate", "replicaset/web-1", key+"=true")
			if refused := annotate.code != 0; refused != (name == "rollback-validating-hardened") {
				t.Errorf("annotating the old ReplicaSet: exit %d, %s%s", annotate.code, annotate.stdout, annotate.stderr)
			}
			if undo := kubectlAs(t, "user1", "-n", f.namespace, "rollout", "undo", "deployment/web"); undo.code != 0 {
				t.Fatalf("rolling back: exit %d, %s%s", undo.code, undo.stdout, undo.stderr)
			}
			deployment, err = deployments.Get(t.Context(), "web", metav1.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if image := deployment.Spec.Template.Spec.Containers[0].Image; image != "web:1" {
				t.Errorf("it was not rolled back: the image is %s", image)
			}
			if _, got := deployment.Annotations[key]; got != leaks {
				t.Errorf("annotations after the rollback: %v", deployment.Annotations)
			}
		})
	}
}

// kubectlAs runs kubectl in somebody's name, as the administrator may.
func kubectlAs(t *testing.T, user string, args ...string) output {
	t.Helper()
	return kubectl(t, server.Admin.Kubeconfig, "", append([]string{"--as", user}, args...)...)
}
