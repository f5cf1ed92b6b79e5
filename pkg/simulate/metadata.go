package simulate

import (
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// sameBeyondMetadata says whether two states of an object differ in their metadata at most.
func sameBeyondMetadata(a, b runtime.Object) bool {
	if equality.Semantic.DeepEqual(a, b) {
		return true
	}
	return equality.Semantic.DeepEqual(withoutMetadata(a), withoutMetadata(b))
}

func withoutMetadata(object runtime.Object) runtime.Object {
	object = object.DeepCopyObject()
	if u, ok := object.(*unstructured.Unstructured); ok {
		delete(u.Object, "metadata")
		return u
	}
	if accessor, ok := object.(metav1.ObjectMetaAccessor); ok {
		if meta, ok := accessor.GetObjectMeta().(*metav1.ObjectMeta); ok {
			*meta = metav1.ObjectMeta{}
		}
	}
	return object
}
