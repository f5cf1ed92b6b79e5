package inventory

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// redact takes secret values out of an object, in place, and returns the paths of the fields whose values are
// gone:
//   - the data of Secrets, also of those that are written within another object;
//   - the values of environment variables, wherever a field is named as such, see isEnvironment;
//   - every text that repeats any of these: annotations such as kubectl's last-applied one, manifests and Helm
//     values within strings, packed texts, and the entries of managedFields that name values.
//
// The kinds that define what others may hold, such as CustomResourceDefinitions and policies, hold no such values but fields and
// expressions that are named alike: of these only the metadata is looked at.
func redact(object *unstructured.Unstructured) []string {
	r := &redaction{}
	if definesOthers[object.GroupVersionKind().Group] {
		r.value(object.Object["metadata"], fieldPath{"metadata"})
	} else {
		r.fields(object.Object, nil)
	}
	slices.Sort(r.paths)
	return slices.Compact(r.paths)
}

var definesOthers = map[string]bool{
	"admissionregistration.k8s.io": true, "apiextensions.k8s.io": true, "rbac.authorization.k8s.io": true,
}

type redaction struct {
	paths []string
}

// value takes the secrets out of a map or a list in place, and returns what stands for a scalar.
func (r *redaction) value(value any, path fieldPath) any {
	switch v := value.(type) {
	case map[string]any:
		r.fields(v, path)
	case []any:
		for i := range v {
			v[i] = r.value(v[i], extend(path, i))
		}
	case string:
		return r.text(v, path)
	}
	return value
}

func (r *redaction) fields(content map[string]any, path fieldPath) {
	for key, child := range content {
		content[key] = r.field(content, key, child, extend(path, key))
	}
}

func (r *redaction) field(of map[string]any, key string, value any, path fieldPath) any {
	isSecret := of["kind"] == "Secret"
	switch {
	case isSecret && key == "data":
		return r.every(value, redactedBytes, path)
	case isSecret && key == "stringData":
		return r.every(value, Redacted, path)
	case key == "binaryData":
		return r.binary(value, path)
	case key == corev1.LastAppliedConfigAnnotation:
		return r.lastApplied(value, path)
	case key == "managedFields":
		return r.managedFields(value, path)
	case isEnvironment(key):
		return r.environment(value, path)
	}
	return r.value(value, path)
}

// every replaces every value of a map, or what stands in its place.
func (r *redaction) every(value any, by string, path fieldPath) any {
	switch v := value.(type) {
	case nil:
		return nil
	case map[string]any:
		for key := range v {
			v[key] = r.gone(by, extend(path, key))
		}
		return v
	}
	return r.gone(by, path)
}

// gone notes that a value is replaced, and returns what by.
func (r *redaction) gone(by string, path fieldPath) string {
	r.paths = append(r.paths, path.String())
	return by
}

// extend returns a path with one more step, leaving the given one as it is.
func extend(path fieldPath, step any) fieldPath { return append(slices.Clone(path), step) }
