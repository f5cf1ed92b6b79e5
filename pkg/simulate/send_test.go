package simulate

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

const webManifest = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: team-a, annotations: {downscaler/exclude: "true"}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: web}]}
`

// send returns the request of a user who sends a manifest.
func send(t *testing.T, inv inventory.Inventory, user, manifest string, via request.Via) request.Request {
	t.Helper()
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(manifest), &object.Object); err != nil {
		t.Fatal(err)
	}
	r, err := request.Send(t.Context(), inv, request.NewRequester(user, nil, "", nil), object, via, "default", request.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestAlreadyThere: POST finds out last that the object exists, behind every policy.
func TestAlreadyThere(t *testing.T) {
	cases := map[string]struct {
		user   string
		code   int32
		reason string
	}{
		"by one who may not": {"dev", 422, "Invalid"},
		"by one who may":     {"admin", 409, "AlreadyExists"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			inv := files(t, objects, blocking)
			result := simulator(t, inv).Run(t.Context(), send(t, inv, test.user, webManifest, request.ViaCreate), Options{})
			if result.Outcome != Blocked || result.Status.Code != test.code || string(result.Status.Reason) != test.reason {
				t.Errorf("outcome %s, status %+v", result.Outcome, result.Status)
			}
		})
	}
}

// TestGeneratedName: validating policies see a name that nobody can know.
func TestGeneratedName(t *testing.T) {
	manifest := strings.Replace(webManifest, "name: web,", "generateName: web-,", 1)
	inv := files(t, objects, blocking)
	result := simulator(t, inv).Run(t.Context(), send(t, inv, "dev", manifest, request.ViaCreate), Options{})
	if result.Outcome != Blocked || !strings.HasPrefix(result.Status.Message, `deployments.apps "<generated>" is forbidden`) {
		t.Errorf("outcome %s, status %+v", result.Outcome, result.Status)
	}

	reading := strings.Replace(blocking, "!k.startsWith('downscaler/') || (k in", "object.metadata.name != 'x' || (k in", 1)
	inv = files(t, objects, reading)
	result = simulator(t, inv).Run(t.Context(), send(t, inv, "dev", manifest, request.ViaCreate), Options{})
	if result.Outcome != Unknown || len(result.Incomplete) == 0 {
		t.Errorf("outcome %s, incomplete %v", result.Outcome, result.Incomplete)
	}
}

// TestWhatAPolicyAddsLacksDefaults: the API server fills them in before validating policies look.
func TestWhatAPolicyAddsLacksDefaults(t *testing.T) {
	adds := `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: adds}
spec:` + strings.Replace(rules, "{name: not-an-administrator", "{name: all, expression: \"true\"}\n  - {name: not-an-administrator", 1) + `
  reinvocationPolicy: Never
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: "Object{spec: Object.spec{replicas: 3}}"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: adds}
spec: {policyName: adds}
`
	asks := strings.NewReplacer("variables.new.all(k, !k.startsWith('downscaler/') || (k in variables.old && variables.old[k] == variables.new[k]))", "!has(object.spec.minReadySeconds)").Replace(blocking)
	for mutation, want := range map[string]Outcome{adds: Unknown, "": Allowed} {
		inv := files(t, objects, mutation, asks)
		result := simulator(t, inv).Run(t.Context(), annotate(t, inv, "dev", "web", set("false"), request.Options{}), Options{})
		if result.Outcome != want {
			t.Errorf("outcome %s, want %s; steps %+v", result.Outcome, want, result.Steps)
		}
	}
}

// TestSecondApply: kubectl apply --server-side of an object that was applied client-side sends another request, which
// removes what the file no longer has.
func TestSecondApply(t *testing.T) {
	applied := strings.Replace(webManifest, "annotations: {downscaler/exclude: \"true\"}", `uid: 1-2, resourceVersion: "5", creationTimestamp: "2026-01-01T00:00:00Z",
  annotations: {downscaler/exclude: "true", kubectl.kubernetes.io/last-applied-configuration: '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"annotations":{"downscaler/exclude":"true"},"name":"web","namespace":"team-a"},"spec":{"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"image":"web","name":"main"}]}}}}'},
  managedFields: [{manager: kubectl-client-side-apply, operation: Update, apiVersion: apps/v1, time: "2026-01-01T00:00:00Z", fieldsType: FieldsV1, fieldsV1: {"f:metadata": {"f:annotations": {".": {}, "f:downscaler/exclude": {}, "f:kubectl.kubernetes.io/last-applied-configuration": {}}}}}]`, 1)
	namespace, _, _ := strings.Cut(objects, "---")
	dropped := strings.Replace(webManifest, ", annotations: {downscaler/exclude: \"true\"}", "", 1)
	inv := files(t, namespace, applied)
	r := send(t, inv, "dev", dropped, request.ViaServerSideApply)
	result := simulator(t, inv).Run(t.Context(), r, Options{})
	if len(result.Annotations) != 1 || result.Annotations[0].Change != Removed || result.Annotations[0].After != nil {
		t.Errorf("outcome %s, annotations %+v, incomplete %v", result.Outcome, result.Annotations, result.Incomplete)
	}
}
