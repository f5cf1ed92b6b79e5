package findings

import (
	"context"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

const butSleepGuardOff = `{matchExpressions: [{key: sleep-guard, operator: NotIn, values: ["off"]}]}`

// labeller may label namespaces and Deployments and is no administrator, as tenant is, who may do everything.
const labeller = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: labeller}
rules:
- {apiGroups: [""], resources: [namespaces], verbs: [patch]}
- {apiGroups: [apps], resources: [deployments], verbs: [patch]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: labeller}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: labeller}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: labeller}]
`

// TestSelectorOptOut: somebody labels the object, or its namespace, and annotates the object then.
func TestSelectorOptOut(t *testing.T) {
	for name, s := range map[string]struct{ open, closed, subject string }{
		"object":    {"objectSelector: " + butSleepGuardOff, "", "guard spec.matchResources.objectSelector"},
		"namespace": {"namespaceSelector: " + butSleepGuardOff, "namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NS}}", "guard spec.matchResources.namespaceSelector"},
	} {
		t.Run(name, func(t *testing.T) {
			situation{
				rule: "selector-opt-out", subject: s.subject, world: labeller, open: guard{selector: s.open}.String(), closed: guard{selector: s.closed}.String(),
				leaks: func(t *testing.T, namespace string) bool {
					t.Helper()
					return requesting(t, "labeller").labelsAndAnnotates(t, namespace, name == "namespace")
				},
			}.try(t)
		})
	}
}

// TestMatchConditionOptOut: the tenant makes both changes at once.
func TestMatchConditionOptOut(t *testing.T) {
	situation{
		rule: "match-condition-opt-out", subject: "guard spec.matchConditions[0].expression",
		open: guard{exempt: "'guard.example/skip' in object.metadata.?annotations.orValue({})"}.String(), closed: guard{}.String(),
		ask: []string{"deploy/web", "-n", "NS", "--set", "exclude=true", "--set", "guard.example/skip=true"},
	}.try(t)
	t.Run("name", func(t *testing.T) {
		situation{
			rule: "match-condition-opt-out", subject: "guard spec.matchConditions[0].expression",
			open: guard{exempt: "object.metadata.name.startsWith('tmp-')"}.String(), closed: guard{}.String(),
			leaks: func(t *testing.T, namespace string) bool {
				t.Helper()
				return requesting(t, "tenant").creates(t, namespace, "tmp-x")
			},
		}.try(t)
	})
}

// requester makes requests that verify can't: each of them is a dry run but for labels, without which the next one says nothing.
type requester struct{ client *kubernetes.Clientset }

func requesting(t *testing.T, user string) requester {
	t.Helper()
	config := rest.CopyConfig(server.Admin.Config)
	config.Impersonate = rest.ImpersonationConfig{UserName: user}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return requester{client}
}

// labelsAndAnnotates gives the Deployment, or its namespace, the label, and says whether an annotation passes then. The label is taken off again.
func (r requester) labelsAndAnnotates(t *testing.T, namespace string, atNamespace bool) bool {
	t.Helper()
	label := func(ctx context.Context, value string) {
		patch := []byte(`{"metadata":{"labels":{"sleep-guard":` + value + `}}}`)
		var err error
		if atNamespace {
			_, err = r.client.CoreV1().Namespaces().Patch(ctx, namespace, types.MergePatchType, patch, metav1.PatchOptions{})
		} else {
			_, err = r.client.AppsV1().Deployments(namespace).Patch(ctx, "web", types.MergePatchType, patch, metav1.PatchOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	label(t.Context(), `"off"`)
	defer label(context.WithoutCancel(t.Context()), "null")
	if err := server.WaitForPolicies(t.Context()); err != nil { // by when the API server has seen the namespace's label, too
		t.Fatal(err)
	}
	_, err := r.client.AppsV1().Deployments(namespace).Patch(t.Context(), "web", types.MergePatchType,
		[]byte(`{"metadata":{"annotations":{"downscaler/exclude":"true"}}}`), metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
	return err == nil
}

// creates says whether a copy of the Deployment with an annotation and another name can be created.
func (r requester) creates(t *testing.T, namespace, name string) bool {
	t.Helper()
	deployments := r.client.AppsV1().Deployments(namespace)
	web, err := deployments.Get(t.Context(), "web", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	web.ObjectMeta = metav1.ObjectMeta{Name: name, Namespace: namespace, Annotations: map[string]string{"downscaler/exclude": "true"}}
	_, err = deployments.Create(t.Context(), web, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	return err == nil
}
