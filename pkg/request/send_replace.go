package request

import (
	"cmp"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission"
)

// replace is kubectl replace: PUT of the file, with the stored object's resourceVersion where the file has none
// (k8s.io/cli-runtime pkg/resource/helper.go).
func (s *sending) replace() error {
	if err := s.updateLastApplied(); err != nil {
		return err
	}
	if s.stored == nil {
		return s.replaceMissing()
	}
	r := &s.request
	r.setBefore(*s.stored)
	r.Operation, r.Verb = admission.Update, "update"
	r.Options = updateOptions(cmp.Or(s.options.FieldManager, managerReplace), metav1.FieldValidationStrict)
	if s.file.GetResourceVersion() == "" {
		s.file.SetResourceVersion(s.stored.Meta().GetResourceVersion())
	}
	object, err := decode(s.file)
	if err != nil {
		return s.refuse(err)
	}
	s.propose(object)
	r.Refused = s.uidPrecondition()
	return nil
}

// replaceMissing is the PUT of an object that does not exist, which a few kinds create.
func (s *sending) replaceMissing() error {
	if !putCreates[s.kind.Kind.GroupKind()] || s.options.Subresource != "" {
		s.refuseMissing()
		return nil
	}
	if err := s.create(managerReplace); err != nil {
		return err
	}
	s.request.Verb, s.request.MayCreate = "update", true
	return nil
}

// uidPrecondition is the answer to a PUT that names another object's UID.
func (s *sending) uidPrecondition() *metav1.Status {
	sent, stored := s.file.GetUID(), s.stored.Meta().GetUID()
	if sent == "" || stored == "" || sent == stored {
		return nil
	}
	key := storageKey(s.kind.Resource.GroupResource(), s.request.Namespace, s.request.Name, s.kind.Namespaced, builtIn(s.kind.Kind))
	cause := fmt.Errorf("StorageError: invalid object, Code: 4, Key: %s, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: %s, UID in object meta: %s", key, sent, stored)
	return statusOf(apierrors.NewConflict(s.kind.Resource.GroupResource(), s.request.Name, cause))
}
