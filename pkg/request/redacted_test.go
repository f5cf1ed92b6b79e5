package request

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// fromSnapshot is what a snapshot of the manifests has.
func fromSnapshot(t *testing.T, manifests string) inventory.Inventory {
	t.Helper()
	read := func(text []byte) inventory.Inventory {
		inv, err := inventory.FromFiles(t.Context(), inventory.FileSource{Path: "test.yaml", Reader: bytes.NewReader(text)})
		if err != nil {
			t.Fatal(err)
		}
		return inv
	}
	var out bytes.Buffer
	if _, err := inventory.Snapshot(t.Context(), read([]byte(manifests)), &out, inventory.SnapshotOptions{}); err != nil {
		t.Fatal(err)
	}
	return read(out.Bytes())
}

const redactedCluster = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: team-a
  uid: u
  resourceVersion: "7"
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: |
      {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"annotations":{},"name":"web","namespace":"team-a"},"spec":{"template":{"spec":{"containers":[{"env":[{"name":"P","value":"hunter2"}],"image":"x","name":"c"}]}}}}
  managedFields:
  - apiVersion: apps/v1
    fieldsType: FieldsV1
    fieldsV1: {"f:spec": {"f:template": {"f:spec": {"f:containers": {'k:{"name":"c"}': {".": {}, "f:name": {}, "f:image": {}, "f:env": {".": {}, 'k:{"name":"P"}': {".": {}, "f:name": {}, "f:value": {}}}}}}}}}
    manager: kubectl-client-side-apply
    operation: Update
spec: {template: {spec: {restartPolicy: Always, containers: [{name: c, image: x, imagePullPolicy: Always, env: [{name: P, value: hunter2}]}]}}}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: side
  namespace: team-a
  uid: v
  resourceVersion: "8"
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: |
      {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"annotations":{},"name":"side","namespace":"team-a"},"spec":{"template":{"spec":{"containers":[{"image":"x","name":"c"}]}}}}
spec: {template: {spec: {initContainers: [{name: injected, env: [{name: P, value: hunter2}]}], containers: [{name: c, image: x}]}}}
---
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata:
  name: roll
  namespace: team-a
  uid: w
  resourceVersion: "9"
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: |
      {"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout","metadata":{"annotations":{},"name":"roll","namespace":"team-a"},"spec":{"containers":[{"env":[{"name":"P","value":"hunter2"},{"name":"Q","value":7}],"image":"x","name":"c"}]}}
spec: {containers: [{name: c, image: x, env: [{name: P, value: hunter2}, {name: Q, value: 7}]}]}
`

const (
	envPath      = "spec.template.spec.containers[0].env[0].value"
	injectedPath = "spec.template.spec.initContainers[0].env[0].value"
	webFile      = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: team-a}, spec: {template: {spec: {containers: [{name: c, image: x, env: [{name: P, value: hunter2}]}]}}}}`
	sideFile     = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: side, namespace: team-a}, spec: {template: {spec: {containers: [{name: c, image: x}]}}}}`
	rollFile     = `{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: roll, namespace: team-a}, spec: {containers: [{name: c, image: x, env: [{name: P, value: hunter2}, {name: Q, value: 7}]}]}}`
	newImage     = "image: z"
)

// Of a request against a snapshot, only what hangs on a value that the snapshot has not is unknown.
func TestSendAgainstRedacted(t *testing.T) {
	inv := fromSnapshot(t, redactedCluster)
	tests := []struct {
		name    string
		file    string
		via     Via
		manager string
		what    string // of what is incomplete
		refused string
		none    bool     // whether nothing is sent
		unknown []string // of the proposed object, besides managedFields
	}{
		{name: "apply", file: webFile, via: ViaApply, what: "whether Deployment web is changed by kubectl apply"},
		{name: "apply another value", file: strings.Replace(webFile, "hunter2", "hunter3", 1), via: ViaApply, what: "whether Deployment web is changed by kubectl apply"},
		{name: "apply a new image", file: strings.Replace(webFile, "image: x", newImage, 1), via: ViaApply},
		{name: "apply without the variable", file: strings.Replace(webFile, "{name: P, value: hunter2}", "", 1), via: ViaApply},
		{name: "apply a reference", file: strings.Replace(webFile, "value: hunter2", "valueFrom: {fieldRef: {fieldPath: metadata.name}}", 1), via: ViaApply},
		{name: "apply another container", file: strings.Replace(webFile, "containers: [", "containers: [{name: first, env: [{name: P, value: hunter2}]}, ", 1), via: ViaApply},
		{name: "apply without what another wrote", file: sideFile, via: ViaApply, none: true},
		{name: "apply beside what another wrote", file: strings.Replace(sideFile, "image: x", newImage, 1), via: ViaApply, unknown: []string{injectedPath}},
		{name: "apply a custom resource", file: rollFile, via: ViaApply, what: "whether Rollout roll is changed by kubectl apply"},
		{name: "apply a custom resource, changed", file: strings.Replace(rollFile, "image: x", newImage, 1), via: ViaApply},
		{name: "server-side", file: webFile, via: ViaServerSideApply, manager: "other", what: "whether Deployment web conflicts with server-side apply", unknown: []string{envPath}},
		{name: "server-side, conflict", file: strings.Replace(webFile, "image: x", newImage, 1), via: ViaServerSideApply, manager: "other",
			refused: `Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using apps/v1: .spec.template.spec.containers[name="c"].image`},
		{name: "server-side, elsewhere", file: sideFile, via: ViaServerSideApply, unknown: []string{injectedPath}},
		{name: "replace", file: webFile, via: ViaReplace},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := Send(context.Background(), inv, Requester{}, parsed(t, test.file), test.via, "", Options{FieldManager: test.manager})
			if err != nil {
				t.Fatal(err)
			}
			if got := whats(r.Incomplete); got != test.what || r.NoRequest != test.none {
				t.Errorf("incomplete %q, none %v", got, r.NoRequest)
			}
			checkRefused(t, r, test.refused)
			if test.refused == "" && !test.none {
				checkUnknown(t, r, test.unknown)
			}
		})
	}
}

func parsed(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	u := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &u.Object); err != nil {
		t.Fatal(err)
	}
	return u
}

func whats(gaps []inventory.Gap) string {
	var all []string
	for _, gap := range gaps {
		all = append(all, gap.What)
	}
	return strings.Join(all, ", ")
}

func checkRefused(t *testing.T, r Request, want string) {
	t.Helper()
	got := ""
	if r.Refused != nil {
		got = r.Refused.Message
	}
	if got != want {
		t.Errorf("refused %q; want %q", got, want)
	}
}

// checkUnknown compares the redacted paths of the proposed object; what the file brings is known.
func checkUnknown(t *testing.T, r Request, want []string) {
	t.Helper()
	got := slices.DeleteFunc(slices.Clone(r.UnknownProposed), func(path string) bool { return strings.HasPrefix(path, "metadata.") })
	if diff := cmp.Diff(want, got, cmp.Transformer("sorted", func(s []string) []string { return slices.Sorted(slices.Values(s)) })); diff != "" {
		t.Error(diff)
	}
	for _, path := range redactedPaths(r.Before) {
		if !slices.Contains(r.UnknownBefore, path) {
			t.Errorf("%s of the stored object is not known", path)
		}
	}
}

// Paths are written in one way, from the snapshot to the request.
func TestRedactedPathsOfARequest(t *testing.T) {
	inv := fromSnapshot(t, redactedCluster)
	kind, err := inv.Kinds().Resolve("deployments")
	if err != nil {
		t.Fatal(err)
	}
	object, err := inv.Get(t.Context(), kind, "team-a", "web")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Annotate(Requester{}, object, Change{Set: map[string]string{"downscaler/exclude": "true"}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	redacted := []string{`metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"]`, envPath}
	if diff := cmp.Diff(redacted, r.Redacted); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(slices.Concat(redacted, []string{"metadata.creationTimestamp"}), r.UnknownBefore); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(slices.Concat(r.UnknownBefore, []string{"metadata.managedFields"}), r.UnknownProposed); diff != "" {
		t.Error(diff)
	}
}
