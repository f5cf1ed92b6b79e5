package request

import (
	"reflect"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// The functions here reach an object's spec and status, typed or not. A kind without the part is left as
// it is: a ConfigMap has no status.

func partField(object runtime.Object, part string) (reflect.Value, bool) {
	names := map[string]string{"spec": "Spec", "status": "Status"}
	value := reflect.ValueOf(object)
	if value.Kind() != reflect.Pointer || value.Elem().Kind() != reflect.Struct {
		return reflect.Value{}, false
	}
	field := value.Elem().FieldByName(names[part])
	return field, field.IsValid()
}

// clearPart empties a part of an object in place.
func clearPart(object runtime.Object, part string) {
	if u, ok := object.(*unstructured.Unstructured); ok {
		delete(u.Object, part)
		return
	}
	if field, ok := partField(object, part); ok {
		field.SetZero()
	}
}

// keepPart puts a part of an object back to what it is in the old object, which is not aliased.
func keepPart(object, old runtime.Object, part string) {
	old = old.DeepCopyObject()
	if u, ok := object.(*unstructured.Unstructured); ok {
		value, found := old.(*unstructured.Unstructured).Object[part]
		if !found {
			delete(u.Object, part)
			return
		}
		u.Object[part] = value
		return
	}
	from, okFrom := partField(old, part)
	if to, ok := partField(object, part); ok && okFrom {
		to.Set(from)
	}
}

// samePart says whether a part is the same in both objects.
func samePart(a, b runtime.Object, part string) bool {
	if u, ok := a.(*unstructured.Unstructured); ok {
		return equality.Semantic.DeepEqual(u.Object[part], b.(*unstructured.Unstructured).Object[part])
	}
	x, okX := partField(a, part)
	y, okY := partField(b, part)
	return !okX || !okY || equality.Semantic.DeepEqual(x.Interface(), y.Interface())
}

// sameBeyondMetadata says whether two objects of a kind differ in nothing but metadata and status.
func sameBeyondMetadata(a, b runtime.Object) bool {
	left, errLeft := runtime.DefaultUnstructuredConverter.ToUnstructured(a.DeepCopyObject())
	right, errRight := runtime.DefaultUnstructuredConverter.ToUnstructured(b.DeepCopyObject())
	if errLeft != nil || errRight != nil {
		return false
	}
	for _, content := range []map[string]any{left, right} {
		delete(content, "metadata")
		delete(content, "status")
	}
	return equality.Semantic.DeepEqual(left, right)
}
