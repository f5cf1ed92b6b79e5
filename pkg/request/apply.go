package request

import (
	"cmp"
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apiserver/pkg/admission"
)

// apply is kubectl apply: POST with the last-applied annotation where the object does not exist, and otherwise a
// patch computed of three: what was applied last, the file, and what is stored (k8s.io/kubectl pkg/cmd/apply).
func (s *sending) apply(ctx context.Context) error {
	if s.stored == nil {
		if _, err := setLastApplied(s.file); err != nil {
			return err
		}
		pruneNulls(s.file.Object)
		return s.create(managerApply)
	}
	r := &s.request
	r.setBefore(*s.stored)
	r.Operation, r.Verb = admission.Update, "patch"
	r.Options = updateOptions(cmp.Or(s.options.FieldManager, managerApply), metav1.FieldValidationStrict)
	patch, err := s.threeWayPatch()
	if err != nil {
		return err
	}
	if string(patch) == "{}" {
		r.NoRequest = true
		r.Proposed = r.Before.DeepCopyObject()
		r.UndefaultedProposed = r.UndefaultedBefore
		r.UnknownProposed = append(r.UnknownProposed, r.UnknownBefore...)
		return nil
	}
	s.noteIfUnsent(ctx)
	merged, err := mergePatch(r.Before, patch)
	if err != nil {
		return s.refuse(err)
	}
	s.proposeMerged(merged)
	return nil
}

// threeWayPatch is the patch that kubectl sends: strategic for the API server's own kinds, and a JSON merge
// patch for all others. kubectl takes the patch's schema from the server's OpenAPI, which is that of the types.
func (s *sending) threeWayPatch() ([]byte, error) {
	modified, err := setLastApplied(s.file)
	if err != nil {
		return nil, err
	}
	return s.patchTo(modified)
}

// patchTo is the patch that makes of the stored object one that has been modified.
func (s *sending) patchTo(modified []byte) ([]byte, error) {
	original := []byte(s.stored.Meta().GetAnnotations()[corev1.LastAppliedConfigAnnotation])
	if len(original) == 0 {
		original = nil
	}
	current, err := encode(s.stored.Value)
	if err != nil {
		return nil, err
	}
	patch, err := threeWay(s.kind, original, modified, current)
	if err != nil {
		return nil, usageErrorf("kubectl apply can't compute the patch of %s %s: %v; correct the manifest or the object's last-applied annotation", s.kind.Kind.Kind, s.file.GetName(), err)
	}
	return patch, nil
}

// setLastApplied sets the last-applied annotation in place to the object as it is without it, and returns the
// object's JSON with the annotation. As kubectl does, it leaves "annotations":{} in the annotation
// where the object has none (k8s.io/kubectl pkg/util/apply.go, GetModifiedConfiguration).
func setLastApplied(object *unstructured.Unstructured) ([]byte, error) {
	annotations := object.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	delete(annotations, corev1.LastAppliedConfigAnnotation)
	object.SetAnnotations(annotations)
	bare, err := encode(object)
	if err != nil {
		return nil, err
	}
	annotations[corev1.LastAppliedConfigAnnotation] = string(bare)
	object.SetAnnotations(annotations)
	return encode(object)
}

// encode is an object's JSON as kubectl writes it, with a newline at its end.
func encode(object runtime.Object) ([]byte, error) {
	content, err := contentOf(object)
	if err != nil {
		return nil, err
	}
	u := &unstructured.Unstructured{Object: content}
	body, err := runtime.Encode(unstructured.UnstructuredJSONScheme, u)
	if err != nil {
		return nil, fmt.Errorf("encoding %s %s: %w", u.GetKind(), u.GetName(), err)
	}
	return body, nil
}

// contentOf is an object as JSON has it. It shares an unstructured object's own content.
func contentOf(object runtime.Object) (map[string]any, error) {
	if u, ok := object.(*unstructured.Unstructured); ok {
		return u.Object, nil
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, fmt.Errorf("encoding a %T: %w", object, err)
	}
	return content, nil
}

// pruneNulls takes nulls out in place, as kubectl apply does before it creates.
func pruneNulls(value any) {
	switch v := value.(type) {
	case map[string]any:
		for key, item := range v {
			if item == nil {
				delete(v, key)
				continue
			}
			pruneNulls(item)
		}
	case []any:
		for _, item := range v {
			pruneNulls(item)
		}
	}
}

// customPreconditions are what kubectl asks of the patch of a custom resource.
var customPreconditions = []mergepatch.PreconditionFunc{
	mergepatch.RequireKeyUnchanged("apiVersion"), mergepatch.RequireKeyUnchanged("kind"), mergepatch.RequireMetadataKeyUnchanged("name"),
}
