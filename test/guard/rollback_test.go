package guard

import (
	"os/exec"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/rollout"
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
			putUntilTheEnd(t, rollout.Revisions(deployment, 2))

			leaks := strings.HasSuffix(name, "plain")
			out, err := kubectlAs(t, "dev", "-n", f.namespace, "annotate", "replicaset/web-1", "downscaler/exclude=true")
			if refused := err != nil; refused != (name == "rollback-validating-hardened") {
				t.Errorf("annotating the old ReplicaSet: %v, %s", err, out)
			}
			if out, err = kubectlAs(t, "user1", "-n", f.namespace, "rollout", "undo", "deployment/web"); err != nil {
				t.Fatalf("rolling back: %v, %s", err, out)
			}
			deployment, err = deployments.Get(t.Context(), "web", metav1.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if image := deployment.Spec.Template.Spec.Containers[0].Image; image != "web:1" {
				t.Errorf("it was not rolled back: the image is %s", image)
			}
			if _, got := deployment.Annotations["downscaler/exclude"]; got != leaks {
				t.Errorf("annotations after the rollback: %v", deployment.Annotations)
			}
		})
	}
}

// kubectlAs runs kubectl in somebody's name, as the administrator may, and returns what it prints.
func kubectlAs(t *testing.T, user string, args ...string) (string, error) {
	t.Helper()
	args = append([]string{"--kubeconfig", server.Admin.Kubeconfig, "--as", user}, args...)
	out, err := exec.CommandContext(t.Context(), server.Kubectl, args...).CombinedOutput()
	return string(out), err
}
