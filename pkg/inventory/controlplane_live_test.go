package inventory

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// realCluster are manifests that a real API server takes, a few of each sort.
const realCluster = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList, shortNames: [wd]}
  versions:
  - {name: v1, served: true, storage: true, subresources: {status: {}, scale: {specReplicasPath: .spec.num, statusReplicasPath: .status.num}}, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {num: {type: integer, default: 3}}}}}}}
---
apiVersion: v1
kind: Namespace
metadata: {name: team-a}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: guard}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]}
  validations: [{expression: "true"}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: params, namespace: team-a}
data: {a: "yes", b: "1e3", c: "line\nline\n", d: " x: y # z", e: "0777"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: team-a}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i, env: [{name: A, value: hunter2}], resources: {limits: {cpu: 1500m}}}]}}
`

// create sends objects to an API server, without this package's own code.
func create(t *testing.T, config *rest.Config, kinds *Kinds, documents []Document) {
	t.Helper()
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range documents {
		kind, served := kinds.ForKind(d.Object.GroupVersionKind())
		if !served {
			t.Fatal(d.Object.GroupVersionKind())
		}
		if _, err := client.Resource(kind.Resource).Namespace(d.Object.GetNamespace()).Create(t.Context(), d.Object, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestControlPlane reads a real API server in small pages, and compares a snapshot of it with itself.
func TestControlPlane(t *testing.T) {
	config := startControlPlane(t)
	documents, err := Load(t.Context(), source(realCluster))
	if err != nil {
		t.Fatal(err)
	}
	create(t, config, readFiles(t, realCluster).Kinds(), append(documents, numbered(t, 30)...))
	live, err := Live(t.Context(), config, LiveOptions{PageSize: 7})
	if err != nil {
		t.Fatal(err)
	}
	if len(live.Incomplete()) > 0 {
		t.Error(live.Incomplete())
	}
	checkPublishedSchema(t, config)
	var out bytes.Buffer
	if summary, err := Snapshot(t.Context(), live, &out, SnapshotOptions{}); err != nil || len(summary.Incomplete) > 0 {
		t.Fatal(summary, err)
	}
	if second, _ := takeSnapshot(t, live); second != out.String() {
		t.Error("two snapshots of the same cluster differ")
	}
	compareWithSnapshot(t, live, readFiles(t, out.String()))
}

// checkPublishedSchema waits for the server to publish a new schema, which takes it a second.
func checkPublishedSchema(t *testing.T, config *rest.Config) {
	t.Helper()
	for last := time.Now().Add(20 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		live, err := Live(t.Context(), config, LiveOptions{})
		if err != nil {
			t.Fatal(err)
		}
		kind := resolve(t, live, "wd")
		converter, err := live.TypeConverter(t.Context(), kind.Kind)
		if err == nil {
			widget := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"num": int64(1)}}}
			widget.SetGroupVersionKind(kind.Kind)
			if _, err := converter.ObjectToTyped(widget); err != nil {
				t.Error(err)
			}
			return
		}
		if time.Now().After(last) {
			t.Fatal(err)
		}
	}
}

// numbered makes objects that fill several pages.
func numbered(t *testing.T, n int) []Document {
	t.Helper()
	var text bytes.Buffer
	for i := range n {
		fmt.Fprintf(&text, "---\n{apiVersion: v1, kind: ServiceAccount, metadata: {name: s%d, namespace: team-a}}\n", i)
	}
	documents, err := Load(t.Context(), FileSource{Path: "numbered", Reader: &text})
	if err != nil {
		t.Fatal(err)
	}
	return documents
}

// compareWithSnapshot expects the same objects from both, but for what is redacted.
func compareWithSnapshot(t *testing.T, live, read Inventory) {
	t.Helper()
	if diff := cmp.Diff(live.Kinds().All(), read.Kinds().All()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(live.Policies(), read.Policies()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(live.Namespaces(), read.Namespaces()); diff != "" {
		t.Error(diff)
	}
	for _, kind := range kindsToHold(live, SnapshotOptions{}) {
		query := Query{Kinds: []Kind{kind}}
		if diff := cmp.Diff(redactedObjects(t, live, query), redactedObjects(t, read, query)); diff != "" {
			t.Error(diff)
		}
	}
}

func redactedObjects(t *testing.T, inventory Inventory, query Query) []*unstructured.Unstructured {
	t.Helper()
	var all []*unstructured.Unstructured
	for object, err := range inventory.Objects(t.Context(), query) {
		if err != nil {
			t.Fatal(err)
		}
		u, _, err := withoutSecrets(object.Value)
		if err != nil || !object.Defaulted {
			t.Error(u.GetName(), err)
		}
		all = append(all, u)
	}
	return all
}
