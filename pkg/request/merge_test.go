package request

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func TestBrokenPatch(t *testing.T) {
	stored := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "metadata": map[string]any{"name": "a"}}}
	_, err := mergePatch(stored, []byte(`{"metadata":`))
	if err == nil {
		t.Error("a broken patch was merged")
	}
}
