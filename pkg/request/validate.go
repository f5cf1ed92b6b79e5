package request

import (
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/admission"
)

// Validate checks an object's metadata as the API server does between mutating and validating admission, and answers in
// its words: names by the kind's rule, annotation keys and their total size, labels, finalizers, and what an update may not
// change. object is Prepare's. nil means that the metadata is valid; of the spec nothing is checked.
func Validate(r Request, object runtime.Object) *metav1.Status {
	if object == nil || r.Subresource == "scale" {
		return nil
	}
	meta, err := metaOf(object.DeepCopyObject())
	if err != nil {
		return statusOf(apierrors.NewInternalError(err))
	}
	name := meta.GetName()
	if name == GeneratedName {
		exemplify(meta)
	}
	errs := validateMeta(r, meta)
	if len(errs) == 0 {
		return nil
	}
	return statusOf(apierrors.NewInvalid(r.Kind.Kind.GroupKind(), name, errs))
}

func validateMeta(r Request, meta metav1.Object) field.ErrorList {
	path := field.NewPath("metadata")
	if r.Operation == admission.Create {
		s, _ := strategyOf(r.Kind)
		return validation.ValidateObjectMetaAccessor(meta, r.Kind.Namespaced, s.name, path)
	}
	old, ok := r.Before.DeepCopyObject().(metav1.Object)
	if !ok {
		return nil
	}
	if old.GetResourceVersion() == "" { // from a manifest; Prepare has seen to conflicts
		old.SetResourceVersion("0")
		meta.SetResourceVersion("0")
	}
	errs := validation.ValidateObjectMetaAccessor(meta, r.Kind.Namespaced, pathSegment, path)
	errs = append(errs, validation.ValidateObjectMetaAccessorUpdate(meta, old, path)...)
	if !builtIn(r.Kind.Kind) { // which has it done twice
		return append(errs, validation.ValidateObjectMetaAccessorUpdate(meta, old, path)...)
	}
	return once(errs)
}

// once drops repeated errors, as the API server does with its own kinds.
func once(errs field.ErrorList) field.ErrorList {
	seen := sets.New[string]()
	return slices.DeleteFunc(errs, func(err *field.Error) bool {
		repeated := seen.Has(err.Error())
		seen.Insert(err.Error())
		return repeated
	})
}

// pathSegment is the rule for stored names (k8s.io/apiserver pkg/registry/rest, validatePathSegment).
func pathSegment(name string, prefix bool) []string {
	if prefix {
		return content.IsPathSegmentPrefix(name)
	}
	return content.IsPathSegmentName(name)
}

// exemplify puts a name such as the API server generates where GeneratedName stands.
func exemplify(meta metav1.Object) {
	name := generatedExample(meta.GetGenerateName())
	meta.SetName(name)
	labels := maps.Clone(meta.GetLabels())
	for label, value := range labels {
		if value == GeneratedName {
			labels[label] = name
		}
	}
	meta.SetLabels(labels)
}

// generatedExample is a name such as the API server makes of generateName: at most 63 characters, five of them
// random (k8s.io/apiserver pkg/storage/names).
func generatedExample(generateName string) string {
	const random = "xxxxx"
	return generateName[:min(len(generateName), 63-len(random))] + random
}
