package guard

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/webhook"
)

const webhookManifest = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: guard-webhook}
webhooks:
- name: annotates.example.com
  clientConfig: {url: URL, caBundle: AUTHORITY}
  rules: [{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments]}]
  namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, values: [NAMESPACES]}]}
  matchConditions: [{name: of-the-tenant, expression: "request.userInfo.username == 'dev'"}]
  sideEffects: None
  admissionReviewVersions: [v1]
  reinvocationPolicy: REINVOCATION
  failurePolicy: Fail
`

// TestGuardHoldsBehindAWebhook: a webhook adds the annotation to a tenant's own request after the mutating policy ran. The plain guard in mutating mode
// lets it in: the request didn't concern it, so that it isn't asked again. The hardened one is, and strips it; where the webhook then
// adds it once more, the validating policy behind both refuses it.
func TestGuardHoldsBehindAWebhook(t *testing.T) {
	for _, reinvocation := range []string{"Never", "IfNeeded"} {
		t.Run("webhook reinvoked "+reinvocation, func(t *testing.T) { holdsBehindAWebhook(t, reinvocation) })
	}
}

func holdsBehindAWebhook(t *testing.T, reinvocation string) {
	t.Helper()
	var guards []rendered
	var namespaces []string
	for _, mode := range []string{"validating", "mutating"} {
		for _, form := range []string{"plain", "hardened"} {
			g := render(t, "webhook-"+mode+"-"+form, inMode(leaky["kinds"], mode), form == "hardened")
			guards, namespaces = append(guards, g), append(namespaces, namespaceOf(g))
		}
	}
	served := webhook.Serve(t, webhook.Excludes)
	putUntilTheEnd(t, strings.NewReplacer(
		"URL", served.URL(), "AUTHORITY", served.Authority(), "NAMESPACES", strings.Join(namespaces, ", "), "REINVOCATION", reinvocation,
	).Replace(webhookManifest))
	forced := force(t, plainDeployment, guards...)

	client, err := kubernetes.NewForConfig(server.As("dev"))
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range forced {
		t.Run(name, func(t *testing.T) {
			stored, err := client.AppsV1().Deployments(f.namespace).Patch(t.Context(), "plain", types.MergePatchType,
				[]byte(`{"metadata":{"labels":{"team":"a"}}}`), metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
			stripped := name == "webhook-mutating-hardened" && reinvocation == "Never"
			switch leaks := name == "webhook-mutating-plain"; {
			case (leaks || stripped) != (err == nil):
				t.Fatalf("relabelling: %v", err)
			case err != nil && !strings.Contains(err.Error(), "ValidatingAdmissionPolicy"):
				t.Errorf("not denied by the guard: %v", err)
			case err == nil && (stored.Annotations["downscaler/exclude"] == "true") != leaks:
				t.Errorf("stored: %v", stored.Annotations)
			}
			f.assumesTheWebhook(t)
		})
	}
}

// assumesTheWebhook: what a webhook answers is not simulated, and the answer says so.
func (f inForce) assumesTheWebhook(t *testing.T) {
	t.Helper()
	question := f.annotating(t, user("dev"), f.get(t, "apps", "deployments", "plain"), set("example.com/owner", "a"), request.Options{})
	result := f.simulator.Run(t.Context(), question.Request, simulate.Options{})
	if result.Outcome != simulate.Allowed || len(result.Assumptions) != 1 || !strings.Contains(result.Assumptions[0].Why, "annotates.example.com") {
		t.Errorf("%s, assumptions %+v", result.Outcome, result.Assumptions)
	}
}

func plainDeployment(namespace string) string {
	return "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + namespace + "}\n---\n" +
		"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: plain, namespace: " + namespace + "}\n" +
		"spec: {replicas: 0, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: web}]}}}\n"
}
