package findings

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/rollout"
)

const platform = "request.userInfo.username == 'platform'"

// The tenant annotates an old ReplicaSet, and somebody whom the guard lets through rolls the Deployment back to it.
var replicaSetSituations = []situation{{
	rule: "replicasets-not-covered", subject: "guard spec.matchConstraints.resourceRules", world: anyoneMayWrite,
	leak: "Adding an annotation to an old ReplicaSet, to which an authorised user rolls the Deployment back", mend: "rules for ReplicaSets",
	open:   guard{exempt: platform}.String(),
	closed: guard{exempt: platform, resources: "[deployments, deployments/status, replicasets, replicasets/status]"}.String(),
	leaks:  rollbackBringsTheAnnotation,
}}

func rollbackBringsTheAnnotation(t *testing.T, p place) bool {
	t.Helper()
	deployments := p.impersonating(t, "platform").AppsV1().Deployments(p.namespace)
	web, err := deployments.Patch(t.Context(), "web", types.MergePatchType,
		[]byte(`{"metadata":{"annotations":{"deployment.kubernetes.io/revision":"2"}},"spec":{"replicas":0}}`), metav1.PatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p.holds(t, rollout.Revisions(web, 2))

	p.kubectl(t, p.server.Admin, "", "annotate", "replicaset/web-1", "downscaler/exclude=true", "--as", "tenant")
	p.administrate(t, "", "rollout", "undo", "deployment/web", "--as", "platform")
	if web, err = deployments.Get(t.Context(), "web", metav1.GetOptions{}); err != nil {
		t.Fatal(err)
	}
	_, leaks := web.Annotations["downscaler/exclude"]
	p.administrate(t, "", "annotate", "deployment/web", "downscaler/exclude-", "--as", "platform")
	return leaks
}
