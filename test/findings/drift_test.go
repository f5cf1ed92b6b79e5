package findings

import (
	"fmt"
	"strings"
	"testing"
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

// drift is a Deployment whose template and annotations part, and meet again.
type drift struct {
	variant, leak, mend string
	// drifts makes the Deployment and mends brings it in line, as the administrator.
	drifts, mends func(t *testing.T, p place)
	// again is what the tenant does with the template.
	again func(t *testing.T, p place) (stdin string, args []string)
	// way is how the finding names it.
	way string
}

func (d drift) situation() situation {
	return situation{
		rule: "template-drift", variant: d.variant, leak: d.leak, mend: d.mend, subject: "Deployment NS drifting", says: d.way,
		open: driftGuard, closed: driftGuard, leaks: d.isRefused, proof: refusedAgain,
	}
}

// isRefused says whether the tenant can't send the template again.
func (d drift) isRefused(t *testing.T, p place) bool {
	t.Helper()
	if p.open {
		d.drifts(t, p)
	} else {
		d.mends(t, p)
	}
	stdin, args := d.again(t, p)
	out := p.kubectl(t, p.user(t, "tenant"), stdin, append(args, "--dry-run=server")...)
	if out.Code != 0 && !strings.Contains(out.Stderr, "denied request: only the platform team changes") {
		t.Fatalf("exit %d: %s", out.Code, out.Stderr)
	}
	return out.Code != 0
}

// appliedWith applies the template as it is, with an annotation or without.
func appliedWith(annotations string) func(t *testing.T, p place) {
	return func(t *testing.T, p place) {
		t.Helper()
		p.administrate(t, drifting(p.namespace, "main:1", annotations), "apply", "-f", "-")
	}
}

// annotatedLater applies the template, and then the administrator changes an annotation.
func annotatedLater(annotations, change string) func(t *testing.T, p place) {
	return func(t *testing.T, p place) {
		t.Helper()
		appliedWith(annotations)(t, p)
		p.administrate(t, "", "annotate", "--overwrite", "deployment/drifting", change)
	}
}

// sends is the tenant's way to send the template of the first day.
func sends(annotations string, args ...string) func(*testing.T, place) (string, []string) {
	return func(_ *testing.T, p place) (string, []string) {
		return drifting(p.namespace, "main:1", annotations), append(args, "-f", "-")
	}
}

const isExcluded = `downscaler/exclude: "true"`

var driftSituations = []situation{
	drift{
		variant: "apply", leak: "`kubectl apply` of a template whose annotation was removed", mend: "the annotation, as the template has it",
		drifts: annotatedLater(isExcluded, "downscaler/exclude-"), mends: appliedWith(isExcluded),
		again: func(t *testing.T, p place) (string, []string) {
			t.Helper()
			return p.administrate(t, "", "apply", "view-last-applied", "deployment/drifting", "-o", "json"), []string{"apply", "-f", "-"}
		},
		way: "with kubectl apply, kubectl apply --server-side and kubectl replace, the last-applied configuration adds downscaler/exclude",
	}.situation(),
	// The same by server-side apply, which takes the file over from the client-side one.
	drift{
		variant: "server-side-apply", leak: "`kubectl apply --server-side` of a template whose annotation was removed", mend: "the annotation, as the template has it",
		drifts: annotatedLater(isExcluded, "downscaler/exclude-"), mends: appliedWith(isExcluded),
		again: sends(isExcluded, "apply", "--server-side"),
		way:   "kubectl apply --server-side",
	}.situation(),
	// The file never had the annotation that was added later: apply leaves it, and replace removes it.
	drift{
		variant: "replace", leak: "`kubectl replace` by a template without the annotation that was added later", mend: "no annotation, as in the template",
		drifts: annotatedLater("", "downscaler/exclude=true"), mends: annotatedLater("", "downscaler/exclude-"),
		again: sends("", "replace"),
		way:   "with kubectl replace, the last-applied configuration removes downscaler/exclude",
	}.situation(),
	// The ReplicaSet of the day before has not the annotation: a rollback removes it.
	drift{
		variant: "rollback", leak: "`kubectl rollout undo` to a revision without the annotation", mend: "the annotation on the revision's ReplicaSet",
		drifts: func(t *testing.T, p place) {
			t.Helper()
			p.administrate(t, drifting(p.namespace, "main:2", `deployment.kubernetes.io/revision: "2"`), "create", "-f", "-")
			uid := p.administrate(t, "", "get", "deployment/drifting", "-o", "jsonpath={.metadata.uid}")
			p.administrate(t, replicaSet(p.namespace, uid, 1)+replicaSet(p.namespace, uid, 2), "create", "-f", "-")
			p.administrate(t, "", "annotate", "deployment/drifting", "downscaler/exclude=true")
			p.administrate(t, "", "annotate", "replicaset/drifting-2", "downscaler/exclude=true")
		},
		mends: func(t *testing.T, p place) {
			t.Helper()
			p.administrate(t, "", "annotate", "replicaset/drifting-1", "downscaler/exclude=true")
		},
		again: func(*testing.T, place) (string, []string) {
			return "", []string{"rollout", "undo", "deployment/drifting"}
		},
		way: "with kubectl rollout undo, revision 1 (ReplicaSet drifting-1) removes downscaler/exclude",
	}.situation(),
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
