package compare

import (
	"fmt"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

const objects = `
apiVersion: v1
kind: Namespace
metadata: {name: team-a}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: team-a, uid: 1-2, resourceVersion: "5", creationTimestamp: "2026-01-01T00:00:00Z"}
spec: &spec
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: web}]}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly, namespace: team-a, uid: 1-3, resourceVersion: "6", creationTimestamp: "2026-01-01T00:00:00Z"}
spec:
  schedule: "* * * * *"
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: job}]}}}}
`

const rbac = `
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: edit}, rules: [{apiGroups: [apps], resources: [deployments], verbs: [create, patch, update]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: patch}, rules: [{apiGroups: [apps], resources: [deployments], verbs: [patch]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: read}, rules: [{apiGroups: [apps], resources: [deployments], verbs: [get]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: edit}, roleRef: {kind: ClusterRole, name: edit}, subjects: [{kind: User, name: dev}, {kind: Group, name: ops}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: read}, roleRef: {kind: ClusterRole, name: read}, subjects: [{kind: User, name: auditor}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: ci, namespace: team-a}, roleRef: {kind: ClusterRole, name: patch}, subjects: [{kind: ServiceAccount, name: ci}]}
`

// guard is a policy over all changes of Deployments, which exempts a group.
type guard struct {
	name, action, exempt string
}

func (g guard) String() string {
	const expression = "variables.new == variables.old"
	const annotations = "has(%[1]s.metadata.annotations) ? %[1]s.metadata.annotations.transformMap(k, v, k.startsWith('downscaler/'), v) : {}"
	old := "oldObject == null ? {} : " + fmt.Sprintf(annotations, "oldObject")
	return fmt.Sprintf(`
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: %s}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE, UPDATE]}]}
  matchConditions: [{name: not-exempt, expression: "!('%s' in request.userInfo.groups)"}]
  variables: [{name: new, expression: %q}, {name: old, expression: %q}]
  validations: [{expression: %q, message: not authorised}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: %s-binding}
spec: {policyName: %s, validationActions: [%s]}
`, g.name, g.exempt, fmt.Sprintf(annotations, "object"), old, expression, g.name, g.name, g.action)
}

// simulatorOf decides on the objects by some policies.
func simulatorOf(t testing.TB, manifests ...any) *simulate.Simulator {
	t.Helper()
	return simulatorOn(t, objects, manifests...)
}

// simulatorWithoutNamespace does not know the namespace's labels.
func simulatorWithoutNamespace(t testing.TB, manifests ...any) *simulate.Simulator {
	t.Helper()
	_, rest, _ := strings.Cut(objects, "---")
	return simulatorOn(t, rest, manifests...)
}

func simulatorOn(t testing.TB, objects string, manifests ...any) *simulate.Simulator {
	t.Helper()
	var b strings.Builder
	for _, m := range append([]any{objects}, manifests...) {
		fmt.Fprintf(&b, "%s\n---\n", m)
	}
	inv, err := inventory.FromFiles(t.Context(), inventory.FileSource{Path: "test", Reader: strings.NewReader(b.String())})
	if err != nil {
		t.Fatal(err)
	}
	simulator, err := simulate.New(t.Context(), inv, inv.Policies())
	if err != nil {
		t.Fatal(err)
	}
	return simulator
}
