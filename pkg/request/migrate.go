package request

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/util/csaupgrade"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// managerLastApplied keeps the last-applied annotation when an object moves to server-side apply.
const managerLastApplied = "kubectl-last-applied"

// lastAppliedPath is where kubectl looks for client-side apply's traces.
var lastAppliedPath = fieldpath.NewSet(fieldpath.MakePathOrDie("metadata", "annotations", corev1.LastAppliedConfigAnnotation))

// migrate returns what kubectl apply --server-side does after its first request where the object was
// applied client-side before (k8s.io/kubectl pkg/cmd/apply/apply.go, saveLastApplyAnnotationIfNecessary and
// migrateToSSAIfNecessary). It sends three more requests: the first takes the last-applied annotation over, the second
// rewrites managedFields, and neither changes anything else; the third applies the file again and now removes
// what the file has dropped since the last client-side apply. That one is returned.
func (s *sending) migrate(manager string) func(context.Context, runtime.Object) (*Request, error) {
	file := s.file.DeepCopy()
	return func(ctx context.Context, stored runtime.Object) (*Request, error) {
		again := &sending{inv: s.inv, file: file.DeepCopy(), kind: s.kind, via: s.via, options: s.options}
		live := stored.DeepCopyObject()
		meta, err := metaOf(live)
		if err != nil {
			return nil, err
		}
		managers := clientSideManagers(meta)
		if len(managers) == 0 {
			return nil, nil
		}
		if live, err = again.saveLastApplied(ctx, live, manager); err != nil {
			return nil, err
		}
		if err := csaupgrade.UpgradeManagedFields(live, managers, manager); err != nil {
			return nil, fmt.Errorf("moving %s %s to server-side apply: %w", s.kind.Kind.Kind, meta.GetName(), err)
		}
		return again.applyAgain(ctx, live, s.request)
	}
}

// clientSideManagers are the managers that applied the object client-side.
func clientSideManagers(object metav1.Object) sets.Set[string] {
	names := sets.New[string]()
	for _, entry := range csaupgrade.FindFieldsOwners(object.GetManagedFields(), metav1.ManagedFieldsOperationUpdate, lastAppliedPath) {
		names.Insert(entry.Manager)
	}
	return names
}

// saveLastApplied applies the last-applied annotation under its own manager, as kubectl does unless another
// manager is named or one has it already.
func (s *sending) saveLastApplied(ctx context.Context, live runtime.Object, manager string) (runtime.Object, error) {
	meta, err := metaOf(live)
	if err != nil {
		return nil, err
	}
	value, found := meta.GetAnnotations()[corev1.LastAppliedConfigAnnotation]
	owned := csaupgrade.FindFieldsOwners(meta.GetManagedFields(), metav1.ManagedFieldsOperationApply, lastAppliedPath)
	if manager != managerServerSideApply || !found || len(owned) > 0 {
		return live, nil
	}
	fields, err := s.fieldManager(ctx)
	if err != nil {
		return nil, err
	}
	only := &unstructured.Unstructured{}
	only.SetGroupVersionKind(s.kind.Kind)
	only.SetName(meta.GetName())
	only.SetNamespace(meta.GetNamespace())
	only.SetAnnotations(map[string]string{corev1.LastAppliedConfigAnnotation: value})
	saved, err := fields.Apply(live, only, managerLastApplied, false)
	if err != nil {
		return nil, fmt.Errorf("keeping the last-applied annotation of %s %s: %w", s.kind.Kind.Kind, meta.GetName(), err)
	}
	return s.finish(saved)
}

// applyAgain is the last request: the same as the first, about what has been stored since.
func (s *sending) applyAgain(ctx context.Context, live runtime.Object, first Request) (*Request, error) {
	s.stored = &inventory.Object{Kind: s.kind, Value: live, Redacted: first.UnknownProposed, Defaulted: !first.UndefaultedProposed}
	s.request = newRequest(first.Requester, s.kind, s.file)
	if err := s.serverSideApply(ctx); err != nil {
		return nil, err
	}
	s.request.Redacted = first.Redacted
	s.request.Next = nil
	s.request.Incomplete = slices.DeleteFunc(s.request.Incomplete, func(gap inventory.Gap) bool {
		return slices.Contains(first.Incomplete, gap)
	})
	return &s.request, nil
}
