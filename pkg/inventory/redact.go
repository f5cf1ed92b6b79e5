package inventory

import (
	"encoding/base64"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// redact takes secret values out of an object, in place, and returns the paths of the fields whose values are
// gone: Secrets' data, the value of every item of a list named env at any depth, and the last-applied annotation where
// it repeats one of them.
func redact(object *unstructured.Unstructured) []string {
	r := &redaction{}
	r.object(object.Object, object.GroupVersionKind().GroupKind(), nil)
	slices.Sort(r.paths)
	return r.paths
}

type redaction struct {
	paths []string
}

var secretKind = schema.GroupKind{Kind: "Secret"}

func (r *redaction) object(content map[string]any, kind schema.GroupKind, path fieldPath) {
	if kind == secretKind {
		r.allValues(content, "data", redactedBytes, path)
		r.allValues(content, "stringData", Redacted, path)
	}
	r.walk(content, path)
}

// redactedBytes is Redacted as it stands in a field that holds base64.
var redactedBytes = base64.StdEncoding.EncodeToString([]byte(Redacted))

// allValues replaces every value of a map.
func (r *redaction) allValues(content map[string]any, field, by string, path fieldPath) {
	values, ok := content[field].(map[string]any)
	if !ok {
		return
	}
	for key := range values {
		r.replace(values, key, by, extend(path, field))
	}
}

func (r *redaction) replace(in map[string]any, key, by string, path fieldPath) {
	in[key] = by
	r.paths = append(r.paths, extend(path, key).String())
}

func (r *redaction) walk(value any, path fieldPath) {
	switch v := value.(type) {
	case map[string]any:
		for key, child := range v {
			switch key {
			case "env":
				r.environment(child, extend(path, key))
			case corev1.LastAppliedConfigAnnotation:
				r.lastApplied(v, path)
				continue
			}
			r.walk(child, extend(path, key))
		}
	case []any:
		for i, child := range v {
			r.walk(child, extend(path, i))
		}
	}
}

// environment replaces the values of a container's variables. Those that only refer to a value stay.
func (r *redaction) environment(env any, path fieldPath) {
	variables, ok := env.([]any)
	if !ok {
		return
	}
	for i, variable := range variables {
		if fields, ok := variable.(map[string]any); ok && fields["value"] != nil {
			r.replace(fields, "value", Redacted, extend(path, i))
		}
	}
}

// lastApplied takes the same values out of the JSON in the annotation. What isn't JSON goes as a whole.
func (r *redaction) lastApplied(annotations map[string]any, path fieldPath) {
	text, ok := annotations[corev1.LastAppliedConfigAnnotation].(string)
	if !ok || text == "" {
		return
	}
	inner := &redaction{}
	content := map[string]any{}
	if err := utiljson.Unmarshal([]byte(text), &content); err != nil {
		r.replace(annotations, corev1.LastAppliedConfigAnnotation, Redacted, path)
		return
	}
	applied := unstructured.Unstructured{Object: content}
	inner.object(content, applied.GroupVersionKind().GroupKind(), nil)
	if len(inner.paths) == 0 {
		return
	}
	redacted, err := utiljson.Marshal(content)
	r.replace(annotations, corev1.LastAppliedConfigAnnotation, Redacted, path)
	if err == nil {
		annotations[corev1.LastAppliedConfigAnnotation] = string(redacted) + "\n"
	}
}

// extend returns a path with one more step, leaving the given one as it is.
func extend(path fieldPath, step any) fieldPath { return append(slices.Clone(path), step) }
