package request

import (
	"cmp"
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// serverSideApply is kubectl apply --server-side without --force-conflicts: one apply patch with the
// file, merged by the API server's own field manager, which creates what does not exist.
func (s *sending) serverSideApply(ctx context.Context) error {
	if s.stored == nil && s.options.Subresource != "" {
		s.refuseMissing()
		return nil
	}
	manager := cmp.Or(s.options.FieldManager, managerServerSideApply)
	fields, err := s.fieldManager(ctx)
	if err != nil {
		return err
	}
	live, err := s.live()
	if err != nil {
		return err
	}
	s.request.Verb = "patch"
	s.noteOtherVersions()
	merged, err := fields.Apply(live, s.file.DeepCopy(), manager, false)
	if err != nil && s.holdsRedacted() {
		merged, err = s.applyAlike(ctx, fields, manager, err)
	}
	s.describeApply(manager)
	if err != nil {
		s.request.Refused = statusOf(err)
		return s.proposeForced(fields, manager, err)
	}
	return s.proposeApplied(merged, manager)
}

// proposeForced has a request that is refused for its conflicts tell what it asks for: what it would store if it forced them.
func (s *sending) proposeForced(fields *managedfields.FieldManager, manager string, refusal error) error {
	if !apierrors.IsConflict(refusal) {
		return nil
	}
	live, err := s.live()
	if err != nil {
		return err
	}
	merged, err := fields.Apply(live, s.file.DeepCopy(), manager, true)
	if err != nil {
		return nil //nolint:nilerr // the request is refused all the same, and only what it asks for stays unsaid
	}
	if merged, err = s.finish(merged); err != nil {
		return err
	}
	s.proposeMerged(merged)
	return nil
}

// live is the object that the field manager merges into: the stored one, or an empty one.
func (s *sending) live() (runtime.Object, error) {
	if s.stored != nil {
		return s.stored.Value.DeepCopyObject(), nil
	}
	live, err := maker{}.New(s.kind.Kind)
	if err != nil {
		return nil, fmt.Errorf("making an empty %s: %w", s.kind.Kind.Kind, err)
	}
	return live, nil
}

func (s *sending) describeApply(manager string) {
	r := &s.request
	if s.stored == nil {
		r.Operation, r.MayCreate = admission.Create, true
		r.Options = createOptions(manager)
		return
	}
	r.Operation = admission.Update
	r.Options = updateOptions(manager, metav1.FieldValidationStrict)
	r.setBefore(*s.stored)
}

func (s *sending) proposeApplied(merged runtime.Object, manager string) error {
	merged, err := s.finish(merged)
	if err != nil {
		return err
	}
	if s.stored != nil {
		s.proposeMerged(merged)
		if s.options.Subresource == "" {
			s.request.Next = s.migrate(manager)
		}
		return nil
	}
	if uid := s.file.GetUID(); uid != "" {
		cause := fmt.Errorf("uid mismatch: the provided object specified uid %s, and no existing object was found", uid)
		s.request.Refused = statusOf(apierrors.NewConflict(s.kind.Resource.GroupResource(), s.request.Name, cause))
	}
	s.propose(merged)
	return nil
}

// finish makes of the merged object the one that admission sees.
func (s *sending) finish(merged runtime.Object) (runtime.Object, error) {
	object, err := sameVersion{kind: s.kind.Kind}.ConvertToVersion(merged, s.kind.Kind.GroupVersion())
	if err != nil {
		return nil, fmt.Errorf("converting the merged %s: %w", s.kind.Kind.Kind, err)
	}
	complete(object)
	return object, nil
}

// noteOtherVersions says where the field manager could not see who owns what: entries of other versions
// need the API server's conversions.
func (s *sending) noteOtherVersions() {
	if s.stored == nil {
		return
	}
	own := s.kind.Kind.GroupVersion().String()
	for _, entry := range s.stored.Meta().GetManagedFields() {
		if entry.APIVersion != own && entry.Subresource == s.options.Subresource {
			s.request.Incomplete = append(s.request.Incomplete, inventory.Gap{
				What: fmt.Sprintf("whether server-side apply conflicts with the field manager %q", entry.Manager),
				Why:  fmt.Sprintf("its fields are recorded in version %s, which can't be converted to %s here", entry.APIVersion, own),
			})
		}
	}
}
