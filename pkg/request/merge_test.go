package request

import (
	"context"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// An apply may move what a snapshot took out to another index, so that whole lists are unknown then.
func TestMergedRedactions(t *testing.T) {
	const value = "spec.template.spec.containers[0].env[1].value"
	const annotation = "metadata.annotations[kubectl.kubernetes.io/last-applied-configuration]"
	for _, recorded := range recordings(t) {
		if recorded.Name != "apply-lists" && recorded.Name != "apply-foreign-deploy" {
			continue
		}
		t.Run(recorded.Name, func(t *testing.T) {
			inv := newFakeInventory(t, recorded.Before)
			inv.stored.Redacted = []string{value, annotation}
			r, err := Send(context.Background(), inv, Requester{}, recorded.File, ViaApply, "", Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := value
			if recorded.Name == "apply-lists" {
				want = "spec.template.spec.containers"
			}
			if !slices.Contains(r.UnknownProposed, want) || !slices.Contains(r.UnknownBefore, value) {
				t.Errorf("got %v and %v; want %s", r.UnknownBefore, r.UnknownProposed, want)
			}
			if slices.Contains(r.UnknownProposed, annotation) {
				t.Error("the file brings its own last-applied annotation")
			}
		})
	}
}

func TestBrokenPatch(t *testing.T) {
	stored := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "metadata": map[string]any{"name": "a"}}}
	_, err := mergePatch(stored, []byte(`{"metadata":`))
	if err == nil {
		t.Error("a broken patch was merged")
	}
}
