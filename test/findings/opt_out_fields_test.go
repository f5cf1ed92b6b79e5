package findings

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// fieldSituations are those in which the tenant makes the change together with another one, of something that is neither a label nor another annotation.
var fieldSituations = []situation{
	chosen("request-name", "Creating a Deployment named `sys-x` with an annotation", "request.name.startsWith('sys-')",
		func(t *testing.T, p place) bool { t.Helper(); return creates(t, p, "sys-x") }),
	chosen("name-pattern", "Creating a Deployment named `canary-x` with an annotation", "object.metadata.name.matches('^canary-')",
		func(t *testing.T, p place) bool { t.Helper(); return creates(t, p, "canary-x") }),
	chosen("own-name", "Adding an annotation together with `owner`, which has the tenant's own name", "object.metadata.?annotations['owner'].orValue('') == request.userInfo.username",
		patching(`{"metadata":{"annotations":{"downscaler/exclude":"true","owner":"tenant"}}}`, "")),
	chosen("owner", "Adding an annotation together with an owner", "has(object.metadata.ownerReferences) && object.metadata.ownerReferences.size() > 0",
		patching(`{"metadata":{"annotations":{"downscaler/exclude":"true"},"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"x","uid":"x"}]}}`, "")),
	chosen("finalizer", "Adding an annotation together with a finalizer", "has(object.metadata.finalizers) && 'x/y' in object.metadata.finalizers",
		patching(`{"metadata":{"annotations":{"downscaler/exclude":"true"},"finalizers":["x/y"]}}`, "")),
	chosen("spec", "Adding an annotation and pausing the Deployment", "has(object.spec.paused) && object.spec.paused",
		patching(`{"metadata":{"annotations":{"downscaler/exclude":"true"}},"spec":{"paused":true}}`, "")),
	chosen("field-manager", "Adding an annotation as the field manager `helm`", "has(request.options.fieldManager) && request.options.fieldManager == 'helm'",
		patching(`{"metadata":{"annotations":{"downscaler/exclude":"true"}}}`, "helm")),
}

// chosen is a guard that lets go of what an expression is true of.
func chosen(variant, leak, expression string, leaks func(*testing.T, place) bool) situation {
	return situation{
		rule: "match-condition-opt-out", variant: variant, subject: "guard spec.matchConditions[0].expression",
		leak: leak, mend: "a condition of the requester alone", leaks: leaks,
		open: guard{exempt: onDeployments + expression}.String(), closed: guard{}.String(),
	}
}

// onDeployments leaves namespaces out, which have no such fields.
const onDeployments = "request.resource.resource == 'deployments' && "

// patching says whether a patch of the Deployment by tenant passes, by dry run.
func patching(patch, manager string) func(*testing.T, place) bool {
	return func(t *testing.T, p place) bool {
		t.Helper()
		_, err := p.impersonating(t, "tenant").AppsV1().Deployments(p.namespace).Patch(t.Context(), "web", types.MergePatchType, []byte(patch),
			metav1.PatchOptions{FieldManager: manager, DryRun: []string{metav1.DryRunAll}})
		return passed(t, err)
	}
}
