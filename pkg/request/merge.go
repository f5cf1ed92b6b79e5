package request

import (
	"fmt"
	"slices"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// threeWay computes kubectl apply's patch (k8s.io/kubectl pkg/cmd/apply/patcher.go).
func threeWay(kind inventory.Kind, original, modified, current []byte) ([]byte, error) {
	if !builtIn(kind.Kind) {
		return jsonmergepatch.CreateThreeWayJSONMergePatch(original, modified, current, customPreconditions...)
	}
	typed, err := scheme.Scheme.New(kind.Kind)
	if err != nil {
		return nil, err
	}
	schema, err := strategicpatch.NewPatchMetaFromStruct(typed)
	if err != nil {
		return nil, err
	}
	return strategicpatch.CreateThreeWayMergePatch(original, modified, current, schema, true)
}

// mergePatch applies kubectl apply's patch as the API server does. An error that is an APIStatus is the
// API server's answer (k8s.io/apiserver pkg/endpoints/handlers/patch.go).
func mergePatch(stored runtime.Object, patch []byte) (runtime.Object, error) {
	if u, ok := stored.(*unstructured.Unstructured); ok {
		return mergeCustom(u, patch)
	}
	var changes map[string]any
	if err := json.Unmarshal(patch, &changes); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(stored)
	if err != nil {
		return nil, fmt.Errorf("converting the stored object: %w", err)
	}
	typed, err := scheme.Scheme.New(stored.GetObjectKind().GroupVersionKind())
	if err != nil {
		return nil, err
	}
	merged, err := strategicpatch.StrategicMergeMapPatch(content, changes, typed)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(merged, typed, true); err != nil {
		invalid := field.Invalid(field.NewPath("patch"), fmt.Sprintf("%+v", changes), err.Error())
		return nil, apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{invalid})
	}
	complete(typed)
	return typed, nil
}

func mergeCustom(stored *unstructured.Unstructured, patch []byte) (runtime.Object, error) {
	current, err := encode(stored)
	if err != nil {
		return nil, err
	}
	merged, err := jsonpatch.MergePatch(current, patch)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(merged); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	return normalized(object)
}

// proposeMerged sets the object that a patch or an apply made of the stored one.
func (s *sending) proposeMerged(merged runtime.Object) {
	r := &s.request
	s.clearNamespace(merged)
	r.Proposed = merged
	// What a snapshot took out is where it is now: lists may have moved, and the file may bring the value.
	taken := redactedPaths(r.Before)
	unknown := slices.DeleteFunc(slices.Clone(r.UnknownBefore), func(path string) bool { return slices.Contains(taken, path) })
	r.UndefaultedProposed = r.UndefaultedBefore
	if !sameBeyondMetadata(merged, r.Before) {
		// What came in has not been defaulted, and lists may have moved: paths end before the first index.
		r.UndefaultedProposed, r.Undefaulted = true, true
		s.assumeValid()
		for i, path := range unknown {
			if head, _, indexed := strings.Cut(path, "["); indexed && !strings.HasPrefix(path, "metadata.") {
				unknown[i] = head
			}
		}
	}
	if s.via == ViaApply { // which writes the annotation anew
		unknown = slices.DeleteFunc(unknown, func(path string) bool { return path == lastAppliedField })
	}
	r.UnknownProposed = slices.Concat(r.UnknownProposed, unknown, redactedPaths(merged))
	r.noteManagedFields()
}

// lastAppliedField is the path of the last-applied annotation.
var lastAppliedField = inventory.FieldPath("metadata", "annotations", corev1.LastAppliedConfigAnnotation)
