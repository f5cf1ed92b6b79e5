package request

import (
	"net/http"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

func TestPrepareUnreadable(t *testing.T) {
	custom := func(metadata any) runtime.Object {
		return &unstructured.Unstructured{Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Plan", "metadata": metadata}}
	}
	daemonSet := func(generation string) runtime.Object {
		return &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{appsv1.DeprecatedTemplateGeneration: generation}}}
	}
	cases := []struct {
		name     string
		object   runtime.Object
		readable bool
	}{
		{"labels", custom(map[string]any{"name": "a", "labels": map[string]any{"a": "b"}}), true},
		{"labels that are no map", custom(map[string]any{"name": "a", "labels": "b"}), false},
		{"an annotation that is no string", custom(map[string]any{"name": "a", "annotations": map[string]any{"a": int64(5)}}), false},
		{"metadata that is none", custom("b"), false},
		{"a number of generations", daemonSet("3"), true},
		{"a word for it", daemonSet("three"), false},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			_, err := Prepare(Request{Operation: admission.Create}, test.object)
			if readable := err == nil; readable != test.readable {
				t.Error(err)
			}
		})
	}
}

// TestPreparePlace: an object that a mutation took out of its namespace gets back there, and one put elsewhere is refused.
func TestPreparePlace(t *testing.T) {
	for namespace, want := range map[string]int32{"team-a": 0, "": 0, "elsewhere": http.StatusBadRequest} {
		mutated := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "web"}}
		prepared, err := Prepare(Request{Operation: admission.Create, Namespace: "team-a", Kind: inventory.Kind{Namespaced: true}}, mutated)
		if err != nil {
			t.Fatal(err)
		}
		var code int32
		if prepared.Refused != nil {
			code = prepared.Refused.Code
		}
		if code != want || code == 0 && prepared.Object.(*appsv1.Deployment).Namespace != "team-a" {
			t.Errorf("namespace %q: %+v, %v", namespace, prepared.Refused, prepared.Object)
		}
	}
}
