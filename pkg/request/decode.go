package request

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/client-go/kubernetes/scheme"
)

// builtIn says whether a kind is one of the API server's own, so that admission sees a typed object.
func builtIn(kind schema.GroupVersionKind) bool { return scheme.Scheme.Recognizes(kind) }

// strict decodes as the API server does with fieldValidation=Strict, which kubectl asks for.
var strict = json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme.Scheme, scheme.Scheme, json.SerializerOptions{Strict: true})

// decode makes of what a client sends the object that admission sees. The error is the API server's
// answer to a body that is not of the kind (k8s.io/apiserver pkg/endpoints/handlers, transformDecodeError).
// Custom resources are taken as they are, but for metadata: their schema is not at hand.
func decode(sent *unstructured.Unstructured) (runtime.Object, error) {
	kind := sent.GroupVersionKind()
	body, err := runtime.Encode(unstructured.UnstructuredJSONScheme, sent)
	if err != nil {
		return nil, fmt.Errorf("encoding %s %s: %w", kind.Kind, sent.GetName(), err)
	}
	if !builtIn(kind) {
		return normalized(sent)
	}
	object, _, err := strict.Decode(bytes.TrimSpace(body), nil, nil)
	if err != nil {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", kind.Kind, kind.Version, kind.Kind, err))
	}
	complete(object)
	return object, nil
}

// checkMetadata refuses metadata that kubectl itself can't read (k8s.io/cli-runtime pkg/resource,
// metadataValidatingDecoder), such as an annotation that is a number.
func checkMetadata(file *unstructured.Unstructured) error {
	body, err := runtime.Encode(unstructured.UnstructuredJSONScheme, file)
	if err != nil {
		return fmt.Errorf("encoding %s %s: %w", file.GetKind(), file.GetName(), err)
	}
	if err := stdjson.Unmarshal(body, &metav1.PartialObjectMetadata{}); err != nil {
		return usageErrorf("unable to decode %s %s: %v; correct the manifest, and quote annotations that look like numbers", file.GetKind(), file.GetName(), err)
	}
	return nil
}

// normalized returns a copy of a custom resource whose metadata went through the API server's own type, which drops what
// is empty (k8s.io/apiextensions-apiserver pkg/apiserver/schema/objectmeta).
func normalized(object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	copied := object.DeepCopy()
	raw, found, err := unstructured.NestedMap(copied.Object, "metadata")
	if err != nil || !found {
		return copied, badMetadata(copied, err)
	}
	var meta metav1.ObjectMeta
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(raw, &meta); err != nil {
		return nil, badMetadata(copied, err)
	}
	clean, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&meta)
	if err != nil {
		return nil, badMetadata(copied, err)
	}
	if clean["creationTimestamp"] == nil {
		delete(clean, "creationTimestamp")
	}
	copied.Object["metadata"] = clean
	return copied, nil
}

func badMetadata(object *unstructured.Unstructured, err error) error {
	if err == nil {
		return nil
	}
	kind := object.GroupVersionKind()
	return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", kind.Kind, kind.Version, kind.Kind, err))
}
