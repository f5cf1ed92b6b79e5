package findings

import (
	"fmt"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/plugin"
)

// driftGuard denies the tenant and lets the administrator pass, who makes the objects drift.
var driftGuard = guard{exempt: "'system:masters' in request.userInfo.groups"}.String()

// drifting is the manifest of a Deployment that kubectl applies, with annotations in YAML's flow form.
func drifting(namespace, image, annotations string) string {
	return fmt.Sprintf(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: drifting, namespace: %s, annotations: {%s}}
spec:
  selector: {matchLabels: {app: drifting}}
  template:
    metadata: {labels: {app: drifting}}
    spec: {containers: [{name: main, image: %s}]}
`, namespace, annotations, image)
}

// driftCase is a Deployment whose template and annotations part, and meet again.
type driftCase struct {
	// drift makes the Deployment and mend brings it in line, as the administrator.
	drift, mend func(t *testing.T, namespace string)
	// again is what the tenant does with the template.
	again func(namespace string) (stdin string, args []string)
	// way is how the finding names it.
	way string
}

func (c driftCase) try(t *testing.T) {
	t.Helper()
	tenant, err := server.AddUser("tenant")
	if err != nil {
		t.Fatal(err)
	}
	drifted := false
	s := situation{
		rule: "template-drift", subject: "Deployment NS drifting", open: driftGuard, closed: driftGuard,
		leaks: func(t *testing.T, namespace string) bool {
			if !drifted {
				c.drift(t, namespace)
				drifted = true
			} else {
				c.mend(t, namespace)
			}
			stdin, args := c.again(namespace)
			out := kubectlAs(t, tenant, stdin, append(args, "-n", namespace, "--dry-run=server")...)
			if out.Code != 0 && !strings.Contains(out.Stderr, "denied request: only the platform team changes") {
				t.Fatalf("exit %d: %s", out.Code, out.Stderr)
			}
			return out.Code != 0
		},
		says: c.way,
	}
	s.try(t)
}

func kubectlAs(t *testing.T, user cluster.User, stdin string, args ...string) plugin.Output {
	t.Helper()
	out, err := built.Kubectl(t.Context(), user.Kubeconfig, stdin, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// administrate runs kubectl as the administrator.
func administrate(t *testing.T, namespace, stdin string, args ...string) string {
	t.Helper()
	out := kubectlAs(t, server.Admin, stdin, append(args, "-n", namespace)...)
	if out.Code != 0 {
		t.Fatalf("kubectl %v: exit %d: %s", args, out.Code, out.Stderr)
	}
	return out.Stdout
}

// appliedWith applies the template as it is, with an annotation or without.
func appliedWith(annotations string) func(t *testing.T, namespace string) {
	return func(t *testing.T, namespace string) {
		t.Helper()
		administrate(t, namespace, drifting(namespace, "main:1", annotations), "apply", "-f", "-")
	}
}

// annotatedLater applies the template, and then the administrator changes an annotation.
func annotatedLater(annotations, change string) func(t *testing.T, namespace string) {
	return func(t *testing.T, namespace string) {
		t.Helper()
		appliedWith(annotations)(t, namespace)
		administrate(t, namespace, "", "annotate", "--overwrite", "deployment/drifting", change)
	}
}

// sends is the tenant's way to send the template of the first day.
func sends(annotations string, args ...string) func(string) (string, []string) {
	return func(namespace string) (string, []string) {
		return drifting(namespace, "main:1", annotations), append(args, "-f", "-")
	}
}

const isExcluded = `downscaler/exclude: "true"`

// The annotation that was applied is removed: the next apply adds it again.
func TestTemplateDriftByApply(t *testing.T) {
	driftCase{
		drift: annotatedLater(isExcluded, "downscaler/exclude-"), mend: appliedWith(isExcluded),
		again: func(namespace string) (string, []string) {
			return administrate(t, namespace, "", "apply", "view-last-applied", "deployment/drifting", "-o", "json"), []string{"apply", "-f", "-"}
		},
		way: "with kubectl apply, kubectl apply --server-side and kubectl replace, the last-applied configuration adds downscaler/exclude",
	}.try(t)
}

// The same by server-side apply, which takes the file over from the client-side one.
func TestTemplateDriftByServerSideApply(t *testing.T) {
	driftCase{
		drift: annotatedLater(isExcluded, "downscaler/exclude-"), mend: appliedWith(isExcluded),
		again: sends(isExcluded, "apply", "--server-side"),
		way:   "kubectl apply --server-side",
	}.try(t)
}

// The file never had the annotation that was added later: apply leaves it, and replace removes it.
func TestTemplateDriftByReplace(t *testing.T) {
	driftCase{
		drift: annotatedLater("", "downscaler/exclude=true"), mend: annotatedLater("", "downscaler/exclude-"),
		again: sends("", "replace"),
		way:   "with kubectl replace, the last-applied configuration removes downscaler/exclude",
	}.try(t)
}

// The ReplicaSet of the day before has not the annotation: a rollback removes it.
func TestTemplateDriftByRollback(t *testing.T) {
	driftCase{
		drift: func(t *testing.T, namespace string) {
			t.Helper()
			administrate(t, namespace, drifting(namespace, "main:2", `deployment.kubernetes.io/revision: "2"`), "create", "-f", "-")
			uid := administrate(t, namespace, "", "get", "deployment/drifting", "-o", "jsonpath={.metadata.uid}")
			administrate(t, namespace, replicaSet(namespace, uid, 1)+replicaSet(namespace, uid, 2), "create", "-f", "-")
			administrate(t, namespace, "", "annotate", "deployment/drifting", "downscaler/exclude=true")
			administrate(t, namespace, "", "annotate", "replicaset/drifting-2", "downscaler/exclude=true")
		},
		mend: func(t *testing.T, namespace string) {
			t.Helper()
			administrate(t, namespace, "", "annotate", "replicaset/drifting-1", "downscaler/exclude=true")
		},
		again: func(string) (string, []string) { return "", []string{"rollout", "undo", "deployment/drifting"} },
		way:   "with kubectl rollout undo, revision 1 (ReplicaSet drifting-1) removes downscaler/exclude",
	}.try(t)
}

// replicaSet is what the Deployment's controller would have made.
func replicaSet(namespace, uid string, revision int) string {
	return fmt.Sprintf(`
---
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: drifting-%[3]d
  namespace: %[1]s
  annotations: {deployment.kubernetes.io/revision: "%[3]d"}
  labels: {app: drifting, pod-template-hash: h%[3]d}
  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: drifting, uid: %[2]s, controller: true, blockOwnerDeletion: true}]
spec:
  replicas: 0
  selector: {matchLabels: {app: drifting, pod-template-hash: h%[3]d}}
  template:
    metadata: {labels: {app: drifting, pod-template-hash: h%[3]d}}
    spec: {containers: [{name: main, image: "main:%[3]d"}]}
`, namespace, uid, revision)
}
