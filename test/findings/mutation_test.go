package findings

import (
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// strip takes out what is added.
const strip = `
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
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: [deployments, deployments/status]}]
  variables:
  - {name: old, expression: "oldObject == null ? {} : oldObject.metadata.?annotations.orValue({})"}
  - {name: added, expression: "object.metadata.?annotations.orValue({}).transformList(k, v, k).filter(k, k.startsWith('downscaler/') && !(k in variables.old))"}
  mutations:
  - patchType: JSONPatch
    jsonPatch: {expression: "variables.added.map(k, JSONPatch{op: 'remove', path: '/metadata/annotations/' + jsonpatch.escapeKey(k)})"}
`

// kubectl tells whoever adds an annotation that it was done.
func TestSilentMutation(t *testing.T) {
	situation{
		rule: "silent-mutation", subject: "MutatingAdmissionPolicy strip",
		open: strip, closed: guard{}.String(),
		leaks: func(t *testing.T, namespace string) bool {
			t.Helper()
			out, err := built.Kubectl(t.Context(), server.Admin.Kubeconfig, "", "annotate", "deployment/web", "-n", namespace, "downscaler/exclude=true", "--as", "tenant", "--dry-run=server")
			if err != nil {
				t.Fatal(err)
			}
			return out.Code == 0 && strings.Contains(out.Stdout, "annotated") && out.Stderr == ""
		},
	}.try(t)
}

const annotatingWebhook = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: annotates}
webhooks:
- name: annotates.example.com
  clientConfig: {url: URL, caBundle: AUTHORITY}
  rules: [{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments]}]
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: testmutationwithoutbackstop}}
  sideEffects: None
  admissionReviewVersions: [v1]
  failurePolicy: Fail
`

// A webhook adds the annotation to a tenant's own request, after the mutating policy ran.
func TestMutationWithoutBackstop(t *testing.T) {
	webhook := httptest.NewTLSServer(http.HandlerFunc(excludes))
	t.Cleanup(webhook.Close)
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: webhook.Certificate().Raw})
	config := rest.CopyConfig(server.Admin.Config)
	config.Impersonate.UserName = "tenant"
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	manifest := strings.NewReplacer("URL", webhook.URL, "AUTHORITY", base64.StdEncoding.EncodeToString(authority)).Replace(annotatingWebhook)
	apply(t, manifest)
	t.Cleanup(func() { remove(t, manifest) })
	situation{
		rule: "mutation-without-backstop", subject: "MutatingAdmissionPolicy strip", says: "MutatingWebhookConfiguration annotates",
		open: strip, closed: strip + guard{}.String(),
		leaks: func(t *testing.T, namespace string) bool {
			t.Helper()
			stored, err := client.AppsV1().Deployments(namespace).Patch(t.Context(), "web", types.MergePatchType,
				[]byte(`{"metadata":{"labels":{"team":"a"}}}`), metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
			if err != nil && !apierrors.IsForbidden(err) && !apierrors.IsInvalid(err) {
				t.Fatal(err)
			}
			return err == nil && stored.Annotations["downscaler/exclude"] == "true"
		},
	}.try(t)
}

// excludes answers a review with a patch that adds the annotation.
func excludes(w http.ResponseWriter, r *http.Request) {
	review := admissionv1.AdmissionReview{}
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil || review.Request == nil {
		http.Error(w, "this is no review", http.StatusBadRequest)
		return
	}
	patchType := admissionv1.PatchTypeJSONPatch
	review.Response = &admissionv1.AdmissionResponse{
		UID: review.Request.UID, Allowed: true, PatchType: &patchType,
		Patch: []byte(`[{"op": "add", "path": "/metadata/annotations", "value": {"downscaler/exclude": "true"}}]`),
	}
	if err := json.NewEncoder(w).Encode(review); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}
