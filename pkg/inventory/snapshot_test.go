package inventory

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func takeSnapshot(t *testing.T, inventory Inventory, kinds ...schema.GroupResource) (string, []Gap) {
	t.Helper()
	var out bytes.Buffer
	summary, err := Snapshot(t.Context(), inventory, &out, SnapshotOptions{Kinds: kinds})
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), summary.Incomplete
}

const secretCluster = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: team-a
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: |
      {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"template":{"spec":{"containers":[{"env":[{"name":"A","value":"hunter2"}],"name":"c"}]}}}}
  managedFields: [{manager: kubectl, operation: Apply, apiVersion: apps/v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {}}}]
spec:
  template:
    spec:
      initContainers: [{name: i, env: [{name: A, value: hunter2}]}]
      containers: [{name: c, env: [{name: A, value: hunter2}, {name: B, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]}]
      ephemeralContainers: [{name: e, env: [{name: A, value: hunter2}]}]
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: job, namespace: team-a, annotations: {kubectl.kubernetes.io/last-applied-configuration: "hunter2, cut sho"}}
spec: {schedule: "* * * * *", jobTemplate: {spec: {template: {spec: {containers: [{name: c, env: [{name: A, value: hunter2}]}]}}}}}
---
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: r, namespace: team-a}
spec: {steps: [{probe: {env: [{name: A, value: hunter2}, {name: B, value: 7}]}}]}
---
apiVersion: apps/v1
kind: ControllerRevision
metadata: {name: rev, namespace: team-a}
revision: 1
data: {spec: {template: {spec: {containers: [{name: c, env: [{name: A, value: hunter2}]}]}}}}
---
apiVersion: v1
kind: Secret
metadata:
  name: s
  namespace: team-a
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"apiVersion":"v1","kind":"Secret","stringData":{"password":"hunter2"}}'
data: {password: aHVudGVyMg==, user.name: aHVudGVyMg==}
`

var secrets = schema.GroupResource{Resource: "secrets"}

func TestSnapshotRedacts(t *testing.T) {
	text, gaps := takeSnapshot(t, readFiles(t, secretCluster), secrets)
	if len(gaps) > 0 {
		t.Error(gaps)
	}
	for _, secret := range []string{"hunter2", "aHVudGVyMg"} {
		if strings.Contains(text, secret) {
			t.Errorf("the snapshot tells a secret:\n%s", text)
		}
	}
	inventory := readFiles(t, text)
	for _, test := range []struct {
		kind, name string
		want       []string
	}{
		{"deployments", "web", []string{
			`metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"]`,
			"spec.template.spec.containers[0].env[0].value",
			"spec.template.spec.ephemeralContainers[0].env[0].value",
			"spec.template.spec.initContainers[0].env[0].value",
		}},
		{"cronjobs", "job", []string{
			`metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"]`,
			"spec.jobTemplate.spec.template.spec.containers[0].env[0].value",
		}},
		{"rollouts", "r", []string{"spec.steps[0].probe.env[0].value", "spec.steps[0].probe.env[1].value"}},
		{"controllerrevisions", "rev", []string{"data.spec.template.spec.containers[0].env[0].value"}},
		{"secrets", "s", []string{"data.password", `data["user.name"]`, `metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"]`}},
	} {
		object, err := inventory.Get(t.Context(), resolve(t, inventory, test.kind), "team-a", test.name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, object.Redacted); diff != "" {
			t.Error(test.kind, diff)
		}
	}
	checkRedactedDeployment(t, inventory)
}

func checkRedactedDeployment(t *testing.T, inventory Inventory) {
	t.Helper()
	object, err := inventory.Get(t.Context(), resolve(t, inventory, "deployments"), "team-a", "web")
	if err != nil {
		t.Fatal(err)
	}
	deployment := object.Value.(*appsv1.Deployment)
	env := deployment.Spec.Template.Spec.Containers[0].Env
	if env[0].Value != Redacted || env[1].Value != "" || env[1].ValueFrom == nil {
		t.Error(env)
	}
	if len(deployment.ManagedFields) != 1 {
		t.Error("managedFields are missing")
	}
	var applied unstructured.Unstructured
	if err := applied.UnmarshalJSON([]byte(deployment.Annotations[corev1.LastAppliedConfigAnnotation])); err != nil || applied.GetName() != "web" {
		t.Error("the last-applied annotation is no longer JSON of the same object:", err)
	}
}

func TestSnapshotRoundTrip(t *testing.T) {
	f := newFakeServer()
	f.serve("v1", "Pod", "pods", true)
	f.answer("/apis/apps/v1/deployments", expiring("/apis/apps/v1/deployments", "DeploymentList", "", false))
	f.answer("/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings", forbidden("admissionregistration.k8s.io", "validatingadmissionpolicybindings"))
	f.answer("/apis/example.com/v1", refuseUnavailable())
	live := f.live(t)
	first, gaps := takeSnapshot(t, live)
	if second, _ := takeSnapshot(t, live); first != second {
		t.Error("two snapshots of the same cluster differ")
	}
	read := readFiles(t, first)

	if read.Server() != (Server{Version: "v1.33.4", Source: SourceFiles}) {
		t.Error(read.Server())
	}
	if diff := cmp.Diff(live.Kinds().All(), read.Kinds().All()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(gaps, read.Incomplete()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(live.Policies(), read.Policies()); diff != "" {
		t.Error(diff)
	}
	if len(read.Policies().Unread) != 1 {
		t.Error("a policy list that could not be read looks whole")
	}
	want := []string{"*v1.Deployment team-a/a", "*v1.Deployment team-a/b"}
	got := list(t, read, Query{}, "deployments", "pods")
	if diff := cmp.Diff(want, got[:2]); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(got[2], "the rest of it is missing") || !strings.Contains(got[3], "the snapshot doesn't hold pods; take the snapshot again with --include pods") {
		t.Error("what is missing looks whole:", got[2:])
	}
	if _, _, err := read.Params(t.Context(), schema.GroupVersionKind{Version: "v1", Kind: "Pod"}); !errors.As(err, new(*UnreadKindError)) {
		t.Error(err)
	}
	if _, _, err := read.Params(t.Context(), schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}); err == nil || !strings.HasPrefix(err.Error(), "the kinds of example.com/v1 are not known") {
		t.Error(err)
	}
	for object, err := range read.Objects(t.Context(), Query{Kinds: []Kind{resolve(t, read, "deployments")}}) {
		if err == nil && !object.Defaulted {
			t.Error("an object of a snapshot has the API server's defaults")
		}
	}
	second, laterGaps := takeSnapshot(t, read)
	if diff := cmp.Diff(gaps, laterGaps); diff != "" {
		t.Error("the snapshot of a snapshot lacks something else:", diff)
	}
	if third, _ := takeSnapshot(t, readFiles(t, second)); third != second {
		t.Error("the snapshot of a snapshot differs:", cmp.Diff(second, third))
	}
}

func TestSnapshotParams(t *testing.T) {
	text := strings.Replace(customCluster, "kind: Widget\nmetadata: {name: w, namespace: a}", `kind: Widget
metadata: {name: w, namespace: a}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  paramKind: {apiVersion: example.com/v1, kind: Widget}
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: ["*"], resources: [deployments]}]}
  validations: [{expression: "true"}]
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: v, namespace: a}`, 1)
	snapshot, _ := takeSnapshot(t, readFiles(t, text))
	read := readFiles(t, snapshot)
	params, _, err := read.Params(t.Context(), schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"})
	if len(params) != 2 || err != nil {
		t.Error(params, err)
	}
}

func TestSnapshotDamaged(t *testing.T) {
	text, _ := takeSnapshot(t, readFiles(t, smallCluster))
	documents := strings.Split(text, "---\n")
	last := len(documents) - 1
	for name, test := range map[string]struct {
		documents []string
		want      string
	}{
		"no end":        {documents[:last], "apps.yaml, document 1, line 1: this snapshot is cut short: it has no end; take it again"},
		"one missing":   {append(documents[:2:2], documents[3:]...), "this snapshot is not whole: it had"},
		"no beginning":  {documents[1:], "this is the end of a snapshot without its beginning"},
		"two":           {append(documents[:last+1:last+1], documents...), "there is a snapshot already, in apps.yaml, document 1, line 1; read one at a time"},
		"newer version": {[]string{strings.Replace(documents[0], "v1alpha1", "v2", 1)}, "this program reads compliance.downscaler.dev/v1alpha1, not compliance.downscaler.dev/v2"},
		"other kind":    {[]string{"apiVersion: compliance.downscaler.dev/v1alpha1\nkind: Other\n"}, "compliance.downscaler.dev/v1alpha1 has no kind Other"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := FromFiles(t.Context(), source(strings.Join(test.documents, "---\n")))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestSnapshotFails(t *testing.T) {
	inventory := readFiles(t, smallCluster)
	if _, err := Snapshot(t.Context(), inventory, fullDisk{}, SnapshotOptions{}); err == nil || err.Error() != "no space left" {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Snapshot(ctx, inventory, &bytes.Buffer{}, SnapshotOptions{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
