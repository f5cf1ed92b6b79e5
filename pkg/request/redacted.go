package request

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	smd "sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// Where a file's value meets one that a snapshot took out, nobody knows whether they differ. What is stored once a
// request has passed is the file's value either way; what hangs on the difference is whether there is a request at
// all, and whether server-side apply conflicts. So the request is worked out twice: as the file is, and as
// if it had the stored value wherever it may have it. Where only the first makes a difference, nobody knows.

// alike is a copy of what is sent that has the stored values wherever it may have them.
type alike struct {
	object *unstructured.Unstructured
	paths  []string // where, in the stored object
}

// redactedPaths are the paths of what a snapshot took out of an object.
func redactedPaths(object runtime.Object) []string {
	content, err := contentOf(object)
	if err != nil {
		return nil
	}
	return inventory.RedactedPaths(content)
}

// holdsRedacted says whether there is a stored object that a snapshot took something out of.
func (s *sending) holdsRedacted() bool {
	return s.stored != nil && len(redactedPaths(s.stored.Value)) > 0
}

// alike compares what is sent with what is stored, item by item as types merges lists.
func (s *sending) alike(sent *unstructured.Unstructured, types managedfields.TypeConverter) (alike, error) {
	stored, err := contentOf(s.stored.Value)
	if err != nil {
		return alike{}, err
	}
	left, err := types.ObjectToTyped(sent, smd.AllowDuplicates)
	if err != nil {
		return alike{}, err
	}
	right, err := types.ObjectToTyped(&unstructured.Unstructured{Object: stored}, smd.AllowDuplicates)
	if err != nil {
		return alike{}, err
	}
	differences, err := left.Compare(right)
	if err != nil {
		return alike{}, err
	}
	a := alike{object: sent.DeepCopy()}
	redacted := inventory.RedactedPaths(stored)
	differences.Modified.Iterate(func(path fieldpath.Path) {
		err = errors.Join(err, a.take(path, stored, redacted))
	})
	return a, err
}

// take takes the stored value over where something of it was taken out and the value sent may be the same.
func (a *alike) take(path fieldpath.Path, stored map[string]any, redacted []string) error {
	steps, was, found := locate(stored, path)
	if !found {
		return fmt.Errorf("%s is there more than once", path)
	}
	within := below(redacted, inventory.FieldPath(steps...))
	if len(within) == 0 {
		return nil
	}
	steps, sent, found := locate(a.object.Object, path)
	if !found {
		return fmt.Errorf("%s is there more than once", path)
	}
	if inventory.MayBe(sent, was) {
		put(a.object.Object, steps, was)
		a.paths = append(a.paths, within...)
	}
	return nil
}

// below returns the paths that are at or below one.
func below(paths []string, path string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
		rest, within := strings.CutPrefix(p, path)
		return !within || rest != "" && rest[0] != '.' && rest[0] != '['
	})
}

// noteIfUnsent notes where it is not known whether kubectl apply sends anything.
func (s *sending) noteIfUnsent(ctx context.Context) {
	if !s.holdsRedacted() {
		return
	}
	a, err := s.alikeForPatch(ctx)
	if err == nil {
		var modified, patch []byte
		if modified, err = encode(a.object); err == nil {
			patch, err = s.patchTo(modified)
		}
		if err == nil && string(patch) != "{}" {
			return
		}
	}
	s.noteUnknown("is changed by kubectl apply", a, err)
}

// alikeForPatch merges lists as kubectl's patch does: not at all for custom resources. Of the API server's own kinds only
// lists hold redacted values that strategic merge and server-side apply merge by the same keys.
func (s *sending) alikeForPatch(ctx context.Context) (alike, error) {
	types := managedfields.NewDeducedTypeConverter()
	if builtIn(s.kind.Kind) {
		var err error
		if types, err = s.inv.TypeConverter(ctx, s.kind.Kind); err != nil {
			return alike{}, err
		}
	}
	return s.alike(s.file, types)
}

// noteUnknown notes what hangs on values that the snapshot has not.
func (s *sending) noteUnknown(what string, a alike, err error) {
	why := "the snapshot does not hold " + abbreviated(a.paths) + ", in which alone the file may differ"
	if err != nil {
		why = fmt.Sprintf("the snapshot does not hold all its values: %v", err)
	}
	s.request.Incomplete = append(s.request.Incomplete, inventory.Gap{
		What: fmt.Sprintf("whether %s %s %s", s.kind.Kind.Kind, s.request.Name, what), Why: why,
	})
}

// abbreviated names the first few paths, and the copy in the last-applied annotation only where it is alone.
func abbreviated(paths []string) string {
	const few = 3
	if len(paths) > 1 {
		paths = slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return path == lastAppliedField })
	}
	if len(paths) > few {
		return fmt.Sprintf("%s and %d more", strings.Join(paths[:few], ", "), len(paths)-few)
	}
	return strings.Join(paths, ", ")
}
