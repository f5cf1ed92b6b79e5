package findings

import (
	"context"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
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

// Somebody labels the object, or its namespace, and annotates the object then.
var selectorSituations = []situation{
	{
		rule: "selector-opt-out", variant: "object", world: labeller, subject: "guard spec.matchResources.objectSelector",
		leak: "Labelling a Deployment with `sleep-guard: off`, and adding an annotation then", mend: "no `objectSelector`",
		open: guard{selector: "objectSelector: " + butSleepGuardOff}.String(), closed: guard{}.String(),
		leaks: func(t *testing.T, p place) bool { t.Helper(); return labelsAndAnnotates(t, p, false) },
	},
	{
		rule: "selector-opt-out", variant: "namespace", world: labeller, subject: "guard spec.matchResources.namespaceSelector",
		leak: "Labelling the Namespace with `sleep-guard: off`, and adding an annotation then", mend: "a selector by the namespace's name",
		open:   guard{selector: "namespaceSelector: " + butSleepGuardOff}.String(),
		closed: guard{selector: "namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NS}}"}.String(),
		leaks:  func(t *testing.T, p place) bool { t.Helper(); return labelsAndAnnotates(t, p, true) },
		proof:  foundAgain("it takes two requests, one for the Namespace and one for what is in it"),
	},
}

// The tenant makes both changes at once.
var conditionSituations = []situation{
	{
		rule: "match-condition-opt-out", variant: "annotation", subject: "guard spec.matchConditions[0].expression",
		leak: "Adding an annotation together with `guard.example/skip`", mend: "a condition of the requester alone",
		open: guard{exempt: "'guard.example/skip' in object.metadata.?annotations.orValue({})"}.String(), closed: guard{}.String(),
		ask: append([]string{"--set", "guard.example/skip=true"}, addition...),
	},
	{
		rule: "match-condition-opt-out", variant: "name", subject: "guard spec.matchConditions[0].expression",
		leak: "Creating a Deployment named `tmp-x` with an annotation", mend: "a condition of the requester alone",
		open: guard{exempt: "object.metadata.name.startsWith('tmp-')"}.String(), closed: guard{}.String(),
		leaks: func(t *testing.T, p place) bool { t.Helper(); return creates(t, p, "tmp-x") },
	},
}

// labelsAndAnnotates gives the Deployment, or its namespace, the label, and says whether an annotation passes then, by dry run. The label is taken off again.
func labelsAndAnnotates(t *testing.T, p place, atNamespace bool) bool {
	t.Helper()
	client := p.impersonating(t, "labeller")
	label := func(ctx context.Context, value string) {
		patch := []byte(`{"metadata":{"labels":{"sleep-guard":` + value + `}}}`)
		var err error
		if atNamespace {
			_, err = client.CoreV1().Namespaces().Patch(ctx, p.namespace, types.MergePatchType, patch, metav1.PatchOptions{})
		} else {
			_, err = client.AppsV1().Deployments(p.namespace).Patch(ctx, "web", types.MergePatchType, patch, metav1.PatchOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	label(t.Context(), `"off"`)
	defer label(context.WithoutCancel(t.Context()), "null")
	p.wait(t) // by when the API server has seen the namespace's label, too
	_, err := client.AppsV1().Deployments(p.namespace).Patch(t.Context(), "web", types.MergePatchType,
		[]byte(`{"metadata":{"annotations":{"downscaler/exclude":"true"}}}`), metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
	return passed(t, err)
}

// creates says whether a tenant can create a copy of the Deployment with an annotation and another name, by dry run: verify can't ask that.
func creates(t *testing.T, p place, name string) bool {
	t.Helper()
	deployments := p.impersonating(t, "tenant").AppsV1().Deployments(p.namespace)
	web, err := deployments.Get(t.Context(), "web", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	web.ObjectMeta = metav1.ObjectMeta{Name: name, Namespace: p.namespace, Annotations: map[string]string{"downscaler/exclude": "true"}}
	_, err = deployments.Create(t.Context(), web, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	return passed(t, err)
}
