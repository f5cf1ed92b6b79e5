package request

import (
	"cmp"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apiserver/pkg/admission"
)

// createVia is kubectl create: POST, which finds out only in storage that the object exists already
// (k8s.io/apiserver pkg/registry/generic/registry/store.go).
func (s *sending) createVia() error {
	if err := s.updateLastApplied(); err != nil {
		return err
	}
	if s.stored != nil {
		exists := apierrors.NewAlreadyExists(s.kind.Resource.GroupResource(), s.file.GetName())
		if s.stored.Meta().GetDeletionTimestamp() != nil {
			exists.ErrStatus.Message = "object is being deleted: " + exists.ErrStatus.Message
		}
		s.request.RefusedInStorage = statusOf(exists)
	}
	return s.create(managerCreate)
}

// create makes the request a POST of the file.
func (s *sending) create(manager string) error {
	r := &s.request
	r.Operation, r.Verb = admission.Create, "create"
	r.Options = createOptions(cmp.Or(s.options.FieldManager, manager))
	s.file.SetResourceVersion("")
	object, err := decode(s.file)
	if err != nil {
		return s.refuse(err)
	}
	s.propose(object)
	proposed, err := metaOf(object)
	if err != nil {
		return err
	}
	wipe(proposed)
	return nil
}

// updateLastApplied brings the last-applied annotation up to date where the file has one: kubectl create and
// replace do it (k8s.io/kubectl pkg/util/apply.go, CreateOrUpdateAnnotation without --save-config).
func (s *sending) updateLastApplied() error {
	annotations, err := meta.NewAccessor().Annotations(s.file)
	if err != nil {
		return fmt.Errorf("reading the annotations of %s %s: %w", s.kind.Kind.Kind, s.file.GetName(), err)
	}
	if annotations[corev1.LastAppliedConfigAnnotation] == "" {
		return nil
	}
	_, err = setLastApplied(s.file)
	return err
}
