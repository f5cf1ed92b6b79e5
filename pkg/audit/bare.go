package audit

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// madeUpName is that of objects that only exist to be tried.
const madeUpName = "compliance-probe"

// bare is a new object of another one's kind, in its namespace and with its labels, and with nothing else in it.
func bare(object inventory.Object) inventory.Object {
	value := emptyOf(object.Value)
	value.GetObjectKind().SetGroupVersionKind(object.Kind.Kind)
	meta := metaOf(value)
	meta.SetName(madeUpName)
	meta.SetNamespace(object.Meta().GetNamespace())
	meta.SetLabels(object.Meta().GetLabels())
	return inventory.Object{Kind: object.Kind, Value: value}
}

func emptyOf(value runtime.Object) runtime.Object {
	if _, custom := value.(*unstructured.Unstructured); custom {
		return &unstructured.Unstructured{Object: map[string]any{}}
	}
	if empty, ok := reflect.New(reflect.TypeOf(value).Elem()).Interface().(runtime.Object); ok {
		return empty
	}
	return &metav1.PartialObjectMetadata{}
}
