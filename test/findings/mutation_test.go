package findings

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/webhook"
)

// strip takes out what is added.
var strip = stripReinvoked("Never")

func stripReinvoked(policy string) string {
	return strings.Replace(stripping, "REINVOCATION", policy, 1)
}

const stripping = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: strip}
spec: {policyName: strip}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: strip}
spec:
  failurePolicy: Fail
  reinvocationPolicy: REINVOCATION
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: [deployments, deployments/status]}]
  variables:
  - {name: old, expression: "oldObject == null ? {} : oldObject.metadata.?annotations.orValue({})"}
  - {name: added, expression: "object.metadata.?annotations.orValue({}).transformList(k, v, k).filter(k, k.startsWith('downscaler/') && !(k in variables.old))"}
  mutations:
  - patchType: JSONPatch
    jsonPatch: {expression: "variables.added.map(k, JSONPatch{op: 'remove', path: '/metadata/annotations/' + jsonpatch.escapeKey(k)})"}
`

const annotatingWebhook = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: annotates}
webhooks:
- name: annotates.example.com
  clientConfig: {url: URL, caBundle: AUTHORITY}
  rules: [{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments]}]
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NS}}
  sideEffects: None
  admissionReviewVersions: [v1]
  failurePolicy: Fail
`

var mutationSituations = []situation{
	{
		rule: "silent-mutation", subject: "MutatingAdmissionPolicy strip",
		leak: "`kubectl annotate` prints \"annotated\" and warns of nothing, while nothing is stored", mend: "a validating policy, which denies it",
		open: strip, closed: guard{}.String(), leaks: isToldAnnotated, proof: takenBack,
	},
	{
		rule: "mutation-without-backstop", subject: "MutatingAdmissionPolicy strip", says: "MutatingWebhookConfiguration annotates",
		leak: "Labelling a Deployment, where a webhook adds an annotation after the mutating policy ran", mend: "a validating policy behind it",
		open: strip, closed: strip + guard{}.String(), prepare: hasWebhook, leaks: getsAnnotated, proof: takenBack,
	},
}

// isToldAnnotated says whether kubectl tells whoever adds an annotation that it was done.
func isToldAnnotated(t *testing.T, p place) bool {
	t.Helper()
	out := p.kubectl(t, p.server.Admin, "", "annotate", "deployment/web", "downscaler/exclude=true", "--as", "tenant", "--dry-run=server")
	return out.Code == 0 && strings.Contains(out.Stdout, "annotated") && out.Stderr == ""
}

// hasWebhook has a webhook add the annotation to everybody's updates.
func hasWebhook(t *testing.T, p place) *strings.Replacer {
	t.Helper()
	served := webhook.Serve(t, webhook.Excludes)
	p.holds(t, strings.NewReplacer("URL", served.URL(), "AUTHORITY", served.Authority()).Replace(p.in(annotatingWebhook)))
	return strings.NewReplacer()
}

// getsAnnotated says whether a tenant's own request, which is about a label, has the annotation in the end.
func getsAnnotated(t *testing.T, p place) bool {
	t.Helper()
	stored, err := p.impersonating(t, "tenant").AppsV1().Deployments(p.namespace).Patch(t.Context(), "web", types.MergePatchType,
		[]byte(`{"metadata":{"labels":{"team":"a"}}}`), metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
	if err != nil && !apierrors.IsForbidden(err) && !apierrors.IsInvalid(err) {
		t.Fatal(err)
	}
	return err == nil && stored.Annotations["downscaler/exclude"] == "true"
}
