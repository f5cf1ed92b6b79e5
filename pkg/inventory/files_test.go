package inventory

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func readFiles(t *testing.T, text string) Inventory {
	t.Helper()
	inventory, err := FromFiles(t.Context(), source(text))
	if err != nil {
		t.Fatal(err)
	}
	return inventory
}

// list describes what a query by kind yields.
func list(t *testing.T, inventory Inventory, query Query, types ...string) []string {
	t.Helper()
	for _, name := range types {
		query.Kinds = append(query.Kinds, resolve(t, inventory, name))
	}
	var all []string
	for object, err := range inventory.Objects(t.Context(), query) {
		if err != nil {
			all = append(all, "error: "+err.Error())
			continue
		}
		all = append(all, fmt.Sprintf("%T %s/%s", object.Value, object.Meta().GetNamespace(), object.Meta().GetName()))
	}
	return all
}

func resolve(t *testing.T, inventory Inventory, name string) Kind {
	t.Helper()
	kind, err := inventory.Kinds().Resolve(name)
	if err != nil {
		t.Fatal(err)
	}
	return kind
}

const smallCluster = `
apiVersion: v1
kind: Namespace
metadata: {name: team-b}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: team-b, labels: {tier: front}}
spec: {replicas: 2, unknownField: tolerated}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: api, namespace: team-a, uid: u, resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z"}
---
apiVersion: v1
kind: Service
metadata: {name: here}
---
apiVersion: batch/v1beta1
kind: CronJob
metadata: {name: old, namespace: team-b}
spec: {schedule: "* * * * *"}
---
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {name: h, namespace: team-b}
---
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: r, namespace: team-b}
`

func TestFilesObjects(t *testing.T) {
	inventory := readFiles(t, smallCluster)
	want := []string{
		"*v1.Service default/here",
		"*v1.Deployment team-a/api",
		"*v1.Deployment team-b/web",
		"*unstructured.Unstructured team-b/r",
		"*v1.CronJob team-b/old",
		"error: listing horizontalpodautoscalers.autoscaling: HorizontalPodAutoscaler h (apps.yaml, document 6, line 24): it is written in autoscaling/v1, and only an API server can convert it to autoscaling/v2; write it in that version",
		"*v1.Namespace /team-b",
	}
	if diff := cmp.Diff(want, list(t, inventory, Query{}, "services", "deploy", "rollouts", "cronjobs", "hpa", "ns")); diff != "" {
		t.Error(diff)
	}
	selected := Query{Namespace: "team-b", Selector: labels.SelectorFromSet(labels.Set{"tier": "front"})}
	if diff := cmp.Diff([]string{"*v1.Deployment team-b/web"}, list(t, inventory, selected, "deploy", "services")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Gap(nil), inventory.Incomplete()); diff != "" {
		t.Error(diff)
	}
	if inventory.Server() != (Server{Version: "v1.37.1", Source: SourceFiles, Assumed: true}) {
		t.Error(inventory.Server())
	}
}

func TestFilesGet(t *testing.T) {
	inventory := readFiles(t, smallCluster)
	deployments := resolve(t, inventory, "deployments")
	stored, err := inventory.Get(t.Context(), deployments, "team-a", "api")
	if err != nil || !stored.Defaulted {
		t.Error(stored, err)
	}
	written, err := inventory.Get(t.Context(), deployments, "team-b", "web")
	if err != nil || written.Defaulted || *written.Value.(*appsv1.Deployment).Spec.Replicas != 2 {
		t.Error(written, err)
	}
	if got := written.Value.GetObjectKind().GroupVersionKind(); got != deployments.Kind {
		t.Error(got)
	}
	written.Meta().SetName("changed")
	if _, err := inventory.Get(t.Context(), deployments, "team-b", "web"); err != nil || list(t, inventory, Query{}, "deploy")[1] != "*v1.Deployment team-b/web" {
		t.Error("Get gives no copy")
	}
	if _, err := inventory.Get(t.Context(), deployments, "team-a", "none"); !apierrors.IsNotFound(err) || err.Error() != `deployments.apps "none" not found` {
		t.Error(err)
	}
	cronJob, err := inventory.Get(t.Context(), resolve(t, inventory, "cronjobs"), "team-b", "old")
	if err != nil || cronJob.Value.(*batchv1.CronJob).Spec.Schedule != "* * * * *" {
		t.Error(cronJob, err)
	}
}

func TestFilesNamespace(t *testing.T) {
	inventory := readFiles(t, smallCluster)
	known, err := inventory.Namespace(t.Context(), "team-b")
	if err != nil || known.Labels["kubernetes.io/metadata.name"] != "team-b" || len(inventory.Namespaces()) != 1 {
		t.Error(known, err)
	}
	for _, name := range []string{"team-a", "default", "kube-system"} {
		_, err := inventory.Namespace(t.Context(), name)
		if unread := (*UnreadNamespaceError)(nil); !errors.As(err, &unread) || unread.Name != name {
			t.Error(name, err)
		}
	}
	if _, err := inventory.Namespace(t.Context(), "typo"); !apierrors.IsNotFound(err) {
		t.Error(err)
	}
}

func TestFilesErrors(t *testing.T) {
	const deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
	for name, test := range map[string]struct{ text, want string }{
		"type error": {
			deployment + "spec:\n  replicas: two\n",
			"apps.yaml, document 1, line 5: spec.replicas: cannot unmarshal string into int32",
		},
		"type error in a list": {
			deployment + "spec:\n  template:\n    spec:\n      containers:\n      - name: a\n      - name: b\n        ports: [{containerPort: x}]\n",
			"apps.yaml, document 1, line 10: spec.template.spec.containers[1].ports[0].containerPort: cannot unmarshal string into int32",
		},
		"quantity in an item": {
			"apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: p}\n  spec:\n    containers:\n    - name: a\n      resources:\n        limits: {cpu: lots}\n",
			"apps.yaml, document 1, item 1, line 11: spec.containers[0].resources.limits.cpu: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
		},
		"policy": {
			"apiVersion: admissionregistration.k8s.io/v1beta1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: p}\nspec:\n  validations: x\n",
			"apps.yaml, document 1, line 5: spec.validations: cannot unmarshal string into []v1.Validation",
		},
		"admission kind": {
			"apiVersion: admissionregistration.k8s.io/v1\nkind: Nothing\nmetadata: {name: p}\n", "",
		},
		"CRD": {
			"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: p}\nspec:\n  versions:\n  - name: 1\n",
			"apps.yaml, document 1, line 6: spec.versions[0].name: cannot unmarshal number into string",
		},
		"twice": {
			deployment + "---\n" + strings.Replace(deployment, "web}", "web, namespace: default}", 1),
			"apps.yaml, document 2, line 5: Deployment default/web is already in apps.yaml, document 1, line 1; keep one of the two",
		},
		"no name":   {"apiVersion: v1\nkind: Pod\n", "apps.yaml, document 1, line 1: metadata.name: a Pod needs a name"},
		"namespace": {"apiVersion: v1\nkind: Namespace\nmetadata: {name: a, namespace: b}\n", "apps.yaml, document 1, line 1: metadata.namespace: a Namespace lies in no namespace; leave this field out"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := FromFiles(t.Context(), source(test.text))
			if test.want == "" && err == nil {
				return
			}
			if err == nil || err.Error() != test.want {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

func TestFilesGaps(t *testing.T) {
	inventory := readFiles(t, `
apiVersion: extensions/v1beta1
kind: Deployment
metadata: {name: ancient}
---
apiVersion: v1
kind: Pod
metadata: {generateName: p-}
---
apiVersion: example.com/v1
kind: Policy
metadata: {name: a, namespace: ns}
`)
	want := []Gap{
		{"the kind Policy of example.com/v1", `its CustomResourceDefinition is not among the files, so it is only guessed that the resource is "policies" and namespaced`},
		{"Deployment ancient (apps.yaml, document 1, line 1)", "extensions/v1beta1 is not served by v1.37.1; write it in a version that is"},
		{"Pod p- (apps.yaml, document 2, line 6)", "it has generateName and no name, so it isn't an object that exists; give it a name, or simulate creating it with -f"},
	}
	if diff := cmp.Diff(want, inventory.Incomplete()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"*unstructured.Unstructured ns/a"}, list(t, inventory, Query{}, "policies.example.com")); diff != "" {
		t.Error(diff)
	}
}

func TestFilesPolicies(t *testing.T) {
	inventory := readFiles(t, `
apiVersion: admissionregistration.k8s.io/v1beta1
kind: MutatingAdmissionPolicy
metadata: {name: m}
spec:
  reinvocationPolicy: Never
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: ["*"], resources: [deployments]}]}
  mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[]"}}]
---
apiVersion: admissionregistration.k8s.io/v1alpha1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: b}
spec: {policyName: p, validationActions: [Deny], paramRef: {name: x}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: w}
webhooks: [{name: w, clientConfig: {service: {name: s, namespace: ns}}}]
`)
	policies := inventory.Policies()
	mutating := policies.Mutating[0].Spec
	if *mutating.FailurePolicy != admissionregistrationv1.Fail || *mutating.MatchConstraints.MatchPolicy != admissionregistrationv1.Equivalent ||
		mutating.MatchConstraints.NamespaceSelector == nil || mutating.MatchConstraints.ObjectSelector == nil ||
		*mutating.MatchConstraints.ResourceRules[0].Scope != admissionregistrationv1.AllScopes {
		t.Errorf("%+v", mutating)
	}
	if got := policies.Mutating[0].APIVersion; got != "admissionregistration.k8s.io/v1" {
		t.Error(got)
	}
	if got := *policies.ValidatingBindings[0].Spec.ParamRef.ParameterNotFoundAction; got != admissionregistrationv1.DenyAction {
		t.Error(got)
	}
	webhook := policies.ValidatingWebhooks[0].Webhooks[0]
	if *webhook.TimeoutSeconds != 10 || *webhook.ClientConfig.Service.Port != 443 {
		t.Errorf("%+v", webhook)
	}
}

const customCluster = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget, shortNames: [wd]}
  versions:
  - {name: v1, served: true, storage: true, subresources: {status: {}, scale: {specReplicasPath: .spec.num, statusReplicasPath: .status.num}}, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {num: {type: integer, default: 3}, tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}}}}}}}
  - {name: v2beta1, served: true, storage: false, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: w, namespace: a}
spec: {}
`

func TestFilesCustomResources(t *testing.T) {
	inventory := readFiles(t, customCluster)
	kind := resolve(t, inventory, "wd")
	if kind.Resource.Version != "v1" || !kind.Namespaced || !slices.Equal(kind.Subresources, []string{"scale", "status"}) {
		t.Errorf("%+v", kind)
	}
	object, err := inventory.Get(t.Context(), kind, "a", "w")
	if err != nil {
		t.Fatal(err)
	}
	if n, _, err := unstructured.NestedInt64(object.Value.(*unstructured.Unstructured).Object, "spec", "num"); n != 3 || err != nil {
		t.Error("the schema's default is not set", n, err)
	}
	beta, _, err := inventory.Params(t.Context(), schema.GroupVersionKind{Group: "example.com", Version: "v2beta1", Kind: "Widget"})
	if err != nil || len(beta) != 1 || beta[0].GetObjectKind().GroupVersionKind().Version != "v2beta1" {
		t.Error(beta, err)
	}
	if _, _, err := inventory.Params(t.Context(), schema.GroupVersionKind{Group: "example.com", Version: "v3", Kind: "Widget"}); !meta.IsNoMatchError(err) {
		t.Error(err)
	}
	converter, err := inventory.TypeConverter(t.Context(), kind.Kind)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := converter.ObjectToTyped(object.Value); err != nil {
		t.Error(err)
	}
	if _, err := inventory.TypeConverter(t.Context(), schema.GroupVersionKind{Group: "argoproj.io", Version: "v1alpha1", Kind: "Rollout"}); !errors.As(err, new(*NoSchemaError)) {
		t.Error(err)
	}
	if _, err := inventory.TypeConverter(t.Context(), appsv1.SchemeGroupVersion.WithKind("Deployment")); err != nil {
		t.Error(err)
	}
}

// manyDeployments streams manifests, each with the filler that makes it as large as a stored one.
func manyDeployments(n int, separator, prefix string) io.Reader {
	reader, writer := io.Pipe()
	filler := strings.Repeat("x", 3000)
	go func() {
		for i := range n {
			text := fmt.Sprintf("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: d%06d\n  namespace: n%d\n  annotations:\n    filler: %s\nspec:\n  replicas: 1\n  template:\n    spec:\n      containers:\n      - name: c\n        image: i\n        env:\n        - {name: A, value: b}\n", i, i%20, filler)
			if prefix != "" {
				text = "- " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ") + "\n"
			}
			if _, err := io.WriteString(writer, text+separator); err != nil {
				return
			}
		}
		_, err := io.WriteString(writer, prefix)
		writer.CloseWithError(errors.Join(err, io.EOF))
	}()
	return reader
}

// 50 MB of manifests take bounded memory: what a document leaves behind is its object.
func TestFilesLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 50 MB")
	}
	const n = largeFile / 3200
	for name, text := range map[string]io.Reader{
		"documents": manyDeployments(n, "---\n", ""),
		"list":      io.MultiReader(strings.NewReader("apiVersion: v1\nitems:\n"), manyDeployments(n, "", "kind: List\n")),
	} {
		t.Run(name, func(t *testing.T) {
			inventory, err := FromFiles(t.Context(), FileSource{Path: "big.yaml", Reader: text})
			if err != nil {
				t.Fatal(err)
			}
			if got := len(list(t, inventory, Query{}, "deploy")); got != n {
				t.Error(got)
			}
			var stats runtime.MemStats
			runtime.ReadMemStats(&stats)
			if stats.HeapSys > 1<<30 {
				t.Errorf("%d MB of heap", stats.HeapSys>>20)
			}
		})
	}
}

func BenchmarkFromFiles10000Deployments(b *testing.B) {
	for b.Loop() {
		if _, err := FromFiles(b.Context(), FileSource{Path: "big.yaml", Reader: manyDeployments(10000, "---\n", "")}); err != nil {
			b.Fatal(err)
		}
	}
}
