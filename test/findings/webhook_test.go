package findings

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/webhook"
)

// The downscaler's webhook runs in a namespace of its own. The API server reaches it by its service, which leads to this process.
const (
	downscalerService = `
apiVersion: v1
kind: Namespace
metadata: {name: NS-own}
---
apiVersion: v1
kind: Service
metadata: {name: go-kube-downscaler-webhook, namespace: NS-own}
spec: {type: ExternalName, externalName: localhost}
`
	downscalerWebhook = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: webhook.kube-downscaler.k8s}
webhooks:
- name: webhook.kube-downscaler.k8s
  clientConfig: {service: {namespace: NS-own, name: go-kube-downscaler-webhook, path: SERVEDAT, port: PORT}, caBundle: AUTHORITY}
  rules: [{apiGroups: [apps], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: [deployments]}]
  namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, values: [NS, NS-own]}]}
  matchConditions:
  - {name: exclude-downscaler, expression: 'SPARED request.name != "go-kube-downscaler"'}
  sideEffects: None
  admissionReviewVersions: [v1]
  failurePolicy: Fail
`
)

// calledAt is the path by which the downscaler's webhook was called last: it tells which of the two configurations the API server goes by.
var calledAt atomic.Value

// A tenant's Deployment is named like the downscaler, and the downscaler's webhook is not called about it.
var webhookSituations = []situation{{
	rule: "webhook-skipped-by-name", world: downscalerService, prepare: hasDownscalersWebhook,
	leak: "Creating a Deployment that is named like the downscaler, of which the downscaler's webhook is not told", mend: "a condition that asks for the downscaler's own namespace, too",
	subject: "MutatingWebhookConfiguration webhook.kube-downscaler.k8s webhooks[0].matchConditions[0].expression", says: "named go-kube-downscaler. It was evaluated for an ordinary user's deployments.apps in NS:",
	open:   strings.NewReplacer("SERVEDAT", "/validate-workloads", "SPARED ", "").Replace(downscalerWebhook),
	closed: strings.NewReplacer("SERVEDAT", "/validate-workloads/mended", "SPARED ", `request.namespace != "NS-own" || `).Replace(downscalerWebhook),
	leaks:  escapesWebhook, proof: toldOnce,
}}

// toldOnce: of two simulated creations one would call the webhook, and the other not.
var toldOnce = proof{"downscaler-compliance simulate", "", func(_ *testing.T, _ situation, _ place, _ audit.Finding, out output) error {
	if told := strings.Count(out.Stdout+out.Stderr, "MutatingWebhookConfiguration webhook.kube-downscaler.k8s"); told != 1 {
		return fmt.Errorf("the webhook is told of %d times", told)
	}
	return nil
}}

func hasDownscalersWebhook(t *testing.T, p place) *strings.Replacer {
	t.Helper()
	served := webhook.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		calledAt.Store(r.URL.Path)
		webhook.Excludes(w, r)
	}, "go-kube-downscaler-webhook."+p.namespace+"-own.svc")
	return strings.NewReplacer("PORT", strconv.Itoa(served.Port()), "AUTHORITY", served.Authority())
}

// escapesWebhook says whether a Deployment of the downscaler's name is created without its webhook, once that is called about others.
func escapesWebhook(t *testing.T, p place) bool {
	t.Helper()
	client := p.impersonating(t, "tenant")
	configured, err := client.AdmissionregistrationV1().MutatingWebhookConfigurations().Get(t.Context(), "webhook.kube-downscaler.k8s", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	path := *configured.Webhooks[0].ClientConfig.Service.Path
	if err := cluster.Eventually(t.Context(), func(ctx context.Context) error {
		excluded, err := createsExcluded(ctx, client, p.namespace, "another")
		if err == nil && (!excluded || calledAt.Load() != path) {
			err = fmt.Errorf("the webhook at %s is not called yet", path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if excluded, err := createsExcluded(t.Context(), client, p.namespace+"-own", "go-kube-downscaler"); err != nil || excluded {
		t.Errorf("the webhook is called about the downscaler itself: %v, %v", excluded, err)
	}
	excluded, err := createsExcluded(t.Context(), client, p.namespace, "go-kube-downscaler")
	if err != nil {
		t.Fatal(err)
	}
	return !excluded
}

// createsExcluded creates a Deployment, by dry run, and says whether the webhook saw it.
func createsExcluded(ctx context.Context, client kubernetes.Interface, namespace, name string) (bool, error) {
	like, err := client.AppsV1().Deployments(strings.TrimSuffix(namespace, "-own")).Get(ctx, "web", metav1.GetOptions{})
	if err != nil {
		return false, fmt.Errorf("reading the Deployment web: %w", err)
	}
	created, err := client.AppsV1().Deployments(namespace).Create(ctx, &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: like.Spec,
	}, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	if err != nil {
		return false, fmt.Errorf("creating the Deployment %s: %w", name, err)
	}
	return created.Annotations["downscaler/exclude"] == "true", nil
}
