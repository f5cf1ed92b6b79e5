package request

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/managedfields"
	smd "sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// applyAlike is what becomes of a server-side apply that was refused, if the refusal may be due to what a snapshot took out
// of the stored object. Conflicts on other fields stay as they are.
func (s *sending) applyAlike(ctx context.Context, fields *managedfields.FieldManager, manager string, refused error) (runtime.Object, error) {
	live, err := s.live()
	if err != nil {
		return nil, err
	}
	types, err := s.inv.TypeConverter(ctx, s.kind.Kind)
	if err != nil {
		return nil, err
	}
	if _, err := types.ObjectToTyped(live, smd.AllowDuplicates); err != nil {
		s.noteUnknown("can be merged by server-side apply", alike{}, err)
		return live, nil
	}
	if !apierrors.IsConflict(refused) {
		return nil, refused
	}
	a, err := s.alike(s.file, types)
	if err != nil {
		s.noteUnknown("conflicts with server-side apply", a, err)
		return fields.Apply(live, s.file.DeepCopy(), manager, true)
	}
	merged, err := fields.Apply(live, a.object.DeepCopy(), manager, false)
	switch {
	case err == nil:
		s.noteUnknown("conflicts with server-side apply", a, nil)
	case len(a.paths) > 0:
		s.noteMoreConflicts(a)
	}
	return merged, err
}

func (s *sending) noteMoreConflicts(a alike) {
	s.request.Assumptions = append(s.request.Assumptions, inventory.Gap{
		What: "the conflicts of " + s.kind.Kind.Kind + " " + s.request.Name,
		Why:  "there may be more of them, in values that the snapshot does not hold: " + abbreviated(a.paths),
	})
}
