package findings

import (
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/plugin"
)

// revision is a ReplicaSet as the Deployments' controller would have made it: none runs here.
const revision = `
---
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
`

// TestReplicasetsNotCovered: the tenant annotates an old ReplicaSet, and somebody whom the guard lets through rolls the Deployment back to it.
func TestReplicasetsNotCovered(t *testing.T) {
	const platform = "request.userInfo.username == 'platform'"
	situation{
		rule: "replicasets-not-covered", subject: "guard spec.matchConstraints.resourceRules", world: anyoneMayWrite,
		open:   guard{exempt: platform}.String(),
		closed: guard{exempt: platform, resources: "[deployments, deployments/status, replicasets, replicasets/status]"}.String(),
		leaks:  rollbackBringsTheAnnotation,
	}.try(t)
}

func rollbackBringsTheAnnotation(t *testing.T, namespace string) bool {
	t.Helper()
	client, err := kubernetes.NewForConfig(server.Admin.Config)
	if err != nil {
		t.Fatal(err)
	}
	deployments := client.AppsV1().Deployments(namespace)
	web, err := deployments.Patch(t.Context(), "web", types.MergePatchType,
		[]byte(`{"metadata":{"annotations":{"deployment.kubernetes.io/revision":"2"}},"spec":{"replicas":0}}`), metav1.PatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	revisions := fmt.Sprintf(revision, 1, namespace, web.UID) + fmt.Sprintf(revision, 2, namespace, web.UID)
	apply(t, revisions)
	t.Cleanup(func() { remove(t, revisions) })

	impersonated(t, "tenant", "-n", namespace, "annotate", "replicaset/web-1", "downscaler/exclude=true")
	if undone := impersonated(t, "platform", "-n", namespace, "rollout", "undo", "deployment/web"); undone.Code != 0 {
		t.Fatalf("rolling back: exit %d, %s%s", undone.Code, undone.Stdout, undone.Stderr)
	}
	if web, err = deployments.Get(t.Context(), "web", metav1.GetOptions{}); err != nil {
		t.Fatal(err)
	}
	_, leaks := web.Annotations["downscaler/exclude"]
	if cleared := impersonated(t, "platform", "-n", namespace, "annotate", "deployment/web", "downscaler/exclude-"); cleared.Code != 0 {
		t.Fatalf("taking the annotation off again: exit %d, %s%s", cleared.Code, cleared.Stdout, cleared.Stderr)
	}
	return leaks
}

// impersonated runs kubectl in somebody's name, as the administrator may.
func impersonated(t *testing.T, user string, args ...string) plugin.Output {
	t.Helper()
	out, err := built.Kubectl(t.Context(), server.Admin.Kubeconfig, "", append([]string{"--as", user}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
