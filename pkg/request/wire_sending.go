package request

import (
	"cmp"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/admission"
)

// onWire is what is sent once the request is built.
func (s *sending) onWire() (Wire, error) {
	if s.request.NoRequest {
		return Wire{}, nil
	}
	w := newWire(s.request)
	w.ContentType = runtime.ContentTypeJSON
	var err error
	switch {
	case s.request.Operation == admission.Delete:
		err = w.delete()
	case s.request.Verb != "patch":
		w.Body, err = encode(s.file)
	case s.via == ViaServerSideApply:
		w.ContentType = string(types.ApplyYAMLPatchType)
		w.Query.Set("force", "false")
		w.Query.Set("fieldValidation", metav1.FieldValidationStrict)
		w.Query.Set("fieldManager", cmp.Or(s.options.FieldManager, managerServerSideApply))
		w.Body, err = encode(s.file)
	default:
		w.ContentType, w.Body, err = s.patchOnWire()
	}
	if err != nil {
		return Wire{}, fmt.Errorf("what is sent of %s %s: %w", s.kind.Kind.Kind, s.file.GetName(), err)
	}
	return w, nil
}

// patchOnWire is kubectl apply's patch and its kind. The update of what does not exist has no patch to compute.
func (s *sending) patchOnWire() (contentType string, body []byte, err error) {
	if s.stored == nil {
		return string(types.MergePatchType), []byte("{}"), nil
	}
	contentType = string(types.StrategicMergePatchType)
	if !builtIn(s.kind.Kind) {
		contentType = string(types.MergePatchType)
	}
	body, err = s.threeWayPatch()
	return contentType, body, err
}
