package cluster_test

import (
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const policyManifests = `
apiVersion: v1
kind: Namespace
metadata: {name: policies}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: deployer, namespace: policies}
rules:
- {apiGroups: [apps], resources: [deployments], verbs: [create]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: deployer, namespace: policies}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: deployer}
subjects:
- {apiGroup: rbac.authorization.k8s.io, kind: User, name: dev}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: strip}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
  matchConditions:
  - {name: stripped, expression: "object.metadata.?annotations[?'downscaler/uptime'].hasValue()"}
  mutations:
  - patchType: JSONPatch
    jsonPatch: {expression: '[JSONPatch{op: "remove", path: "/metadata/annotations/downscaler~1uptime"}]'}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: strip}
spec: {policyName: strip}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: block}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
  validations:
  - expression: "!object.metadata.?annotations[?'downscaler/exclude'].hasValue()"
    messageExpression: "'not by ' + request.userInfo.username"
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: block}
spec: {policyName: block, validationActions: [Deny]}
`

// TestWaitForPolicies sees policies act, and act no longer, in the very next request.
func TestWaitForPolicies(t *testing.T) {
	if err := server.Apply(t.Context(), []byte(policyManifests)); err != nil {
		t.Fatal(err)
	}
	wait(t)

	created, err := createDeployment(t, map[string]string{"downscaler/uptime": "always", "team": "a"})
	if err != nil {
		t.Fatal(err)
	}
	if _, kept := created.Annotations["downscaler/uptime"]; kept || created.Annotations["team"] != "a" {
		t.Errorf("annotations after the mutating policy: %v", created.Annotations)
	}

	_, err = createDeployment(t, map[string]string{"downscaler/exclude": "true"})
	want := "ValidatingAdmissionPolicy 'block' with binding 'block' denied request: not by dev"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("validating policy: %v, want %s", err, want)
	}

	_, policies, _ := strings.Cut(policyManifests, "name: dev}\n---\n")
	if err := server.Delete(t.Context(), []byte(policies)); err != nil {
		t.Fatal(err)
	}
	wait(t)

	created, err = createDeployment(t, map[string]string{"downscaler/uptime": "always", "downscaler/exclude": "true"})
	if err != nil {
		t.Fatal(err)
	}
	if len(created.Annotations) != 2 {
		t.Errorf("annotations without policies: %v", created.Annotations)
	}
}

// TestWaitForPoliciesThatDenyEverything has policies that stand in the way of waiting for them.
func TestWaitForPoliciesThatDenyEverything(t *testing.T) {
	manifests := []byte(`
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: deny-everything}
spec: {policyName: deny-everything, validationActions: [Deny]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: deny-everything}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"]}
  validations:
  - expression: "false"
`)
	if err := server.Apply(t.Context(), manifests); err != nil {
		t.Fatal(err)
	}
	wait(t)
	wait(t)
	if err := server.Delete(t.Context(), manifests); err != nil {
		t.Fatal(err)
	}
	wait(t)
}

func wait(t *testing.T) {
	t.Helper()
	if err := server.WaitForPolicies(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// createDeployment asks for a Deployment, by dry run, in the name of a user who may do that and nothing else.
func createDeployment(t *testing.T, annotations map[string]string) (*appsv1.Deployment, error) {
	t.Helper()
	config := server.As("dev")

	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "web", Annotations: annotations}}
	labels := map[string]string{"app": "web"}
	deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
	deployment.Spec.Template.Labels = labels
	deployment.Spec.Template.Spec.Containers = []corev1.Container{{Name: "web", Image: "web"}}

	return clientFor(t, config).AppsV1().Deployments("policies").
		Create(t.Context(), deployment, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
}
