package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
)

const key = "downscaler/exclude"

// subject is one kind that the cases are tried on: an object that carries the annotation, and the
// manifest of one to create.
type subject struct {
	resource  schema.GroupVersionResource
	argument  string
	namespace string
	manifest  string
}

var subjects = map[string]subject{
	"Deployment": {
		schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}, "deployment/annotated", "team-a",
		`{apiVersion: apps/v1, kind: Deployment, metadata: {name: new, namespace: team-a}, spec: {selector: {matchLabels: {app: new}}, template: {metadata: {labels: {app: new}}, spec: {containers: [{name: main, image: new}]}}}}`,
	},
	"Namespace": {
		schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}, "namespace/annotated", "",
		`{apiVersion: v1, kind: Namespace, metadata: {name: new}}`,
	},
	"CronJob": {
		schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "cronjobs"}, "cronjob/annotated", "team-a",
		`{apiVersion: batch/v1, kind: CronJob, metadata: {name: new, namespace: team-a}, spec: {schedule: "0 3 * * *", jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: new}]}}}}}}`,
	},
	"custom resource": {
		schema.GroupVersionResource{Group: "argoproj.io", Version: "v1alpha1", Resource: "rollouts"}, "rollout/annotated", "team-a",
		`{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: new, namespace: team-a}, spec: {replicas: 3}}`,
	},
}

// fiveCase is one of the cases that every change to the engine must keep.
type fiveCase struct {
	name   string
	user   string
	create bool
	set    map[string]any // nil stands for removal
	// want is the outcome by variant, so that the comparison can't be of two wrongs.
	want map[string]simulate.Outcome
}

var fiveCases = []fiveCase{
	{"create with the annotation", "dev", true, map[string]any{key: "true"}, outcomes(simulate.Blocked, simulate.Altered)},
	{"update that leaves it", "dev", false, map[string]any{"example.com/other": "x"}, outcomes(simulate.Allowed, simulate.Allowed)},
	{"update that edits it", "dev", false, map[string]any{key: "false"}, outcomes(simulate.Blocked, simulate.Altered)},
	{"update that removes it", "dev", false, map[string]any{key: nil}, outcomes(simulate.Blocked, simulate.Altered)},
	{"create by one whom a pattern lets in", "user1x", true, map[string]any{key: "true"}, outcomes(simulate.Allowed, simulate.Allowed)},
}

func outcomes(validating, mutating simulate.Outcome) map[string]simulate.Outcome {
	return map[string]simulate.Outcome{"validating": validating, "mutating": mutating}
}

// TestFiveCases asks the plugin and the API server the same.
func TestFiveCases(t *testing.T) {
	apply(t, "testdata/cluster.yaml")
	for _, variant := range []string{"validating", "mutating"} {
		t.Run(variant, func(t *testing.T) {
			guard(t, "testdata/"+variant+".yaml")
			for _, kind := range slices.Sorted(maps.Keys(subjects)) {
				for _, c := range fiveCases {
					t.Run(kind+"/"+c.name, func(t *testing.T) {
						s := subjects[kind]
						got, outcome := c.simulate(t, s)
						want := c.ask(t, s)
						if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
							t.Errorf("the API server (-) and the plugin (+) differ:\n%s", diff)
						}
						if outcome != c.want[variant] {
							t.Errorf("outcome %s, want %s", outcome, c.want[variant])
						}
					})
				}
			}
		})
	}
}

// answer is what both sides are compared by.
type answer struct {
	Passes      bool
	Status      metav1.Status
	Warnings    []string
	Annotations map[string]string // with the prefix
}

// simulate asks the plugin.
func (c fiveCase) simulate(t *testing.T, s subject) (answer, simulate.Outcome) {
	t.Helper()
	args := []string{"as-user", c.user}
	stdin := ""
	if c.create {
		args = append(args, "-f", "-", "--via", "create")
		stdin = s.manifest
	} else {
		args = append(args, s.argument)
	}
	if s.namespace != "" {
		args = append(args, "-n", s.namespace)
	}
	for k, v := range c.set {
		if v == nil {
			args = append(args, "--remove", k)
		} else {
			args = append(args, "--set", k+"="+v.(string))
		}
	}
	result := simulated(t, stdin, args...)
	a := answer{Passes: result.Status == nil, Warnings: result.Warnings, Annotations: map[string]string{}}
	if result.Status != nil {
		a.Status = *result.Status
		return a, result.Outcome
	}
	for _, annotation := range result.Annotations {
		if annotation.After != nil {
			a.Annotations[annotation.Key] = *annotation.After
		}
	}
	return a, result.Outcome
}

// ask asks the API server, by a dry run in the requester's name.
func (c fiveCase) ask(t *testing.T, s subject) answer {
	t.Helper()
	warnings := &cluster.Warnings{}
	config := server.As(c.user)
	config.WarningHandler = warnings
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	var resource dynamic.ResourceInterface = client.Resource(s.resource)
	if s.namespace != "" {
		resource = client.Resource(s.resource).Namespace(s.namespace)
	}
	stored, err := c.sendOnceReady(t, resource, s)
	a := answer{Passes: err == nil, Warnings: warnings.Texts, Annotations: map[string]string{}}
	if err != nil {
		var status apierrors.APIStatus
		if !errors.As(err, &status) {
			t.Fatal(err)
		}
		a.Status = status.Status()
		a.Status.TypeMeta = metav1.TypeMeta{}
		return a
	}
	for k, v := range stored.GetAnnotations() {
		if strings.HasPrefix(k, "downscaler/") {
			a.Annotations[k] = v
		}
	}
	return a
}

// sendOnceReady sends again while the API server does not know a custom resource's schema yet, which it looks
// for every five seconds.
func (c fiveCase) sendOnceReady(t *testing.T, resource dynamic.ResourceInterface, s subject) (stored *unstructured.Unstructured, err error) {
	t.Helper()
	waited := cluster.Eventually(t.Context(), func(ctx context.Context) error {
		stored, err = c.send(ctx, resource, s)
		if apierrors.IsServiceUnavailable(err) {
			return err
		}
		return nil
	})
	if waited != nil {
		t.Fatal(waited)
	}
	return stored, err
}

func (c fiveCase) send(ctx context.Context, resource dynamic.ResourceInterface, s subject) (*unstructured.Unstructured, error) {
	if c.create {
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(s.manifest), &object.Object); err != nil {
			return nil, err
		}
		annotations := map[string]string{}
		for k, v := range c.set {
			annotations[k] = v.(string)
		}
		object.SetAnnotations(annotations)
		return resource.Create(ctx, object, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}, FieldManager: "kubectl-create", FieldValidation: metav1.FieldValidationStrict})
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": c.set}})
	if err != nil {
		return nil, err
	}
	_, name, _ := strings.Cut(s.argument, "/")
	return resource.Patch(ctx, name, types.MergePatchType, patch, metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}, FieldManager: "kubectl-annotate"})
}

func apply(t *testing.T, path string) []byte {
	t.Helper()
	manifests, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Apply(t.Context(), manifests); err != nil {
		t.Fatal(err)
	}
	return manifests
}

// guard puts policies in force until the test ends.
func guard(t *testing.T, path string) {
	t.Helper()
	manifests := apply(t, path)
	t.Cleanup(func() {
		if err := server.Delete(context.WithoutCancel(t.Context()), manifests); err != nil {
			t.Error(err)
		}
	})
	if err := server.WaitForPolicies(t.Context()); err != nil {
		t.Fatal(err)
	}
}
