package request

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// fieldManager is the API server's own field manager for the resource or subresource.
func (s *sending) fieldManager(ctx context.Context) (*managedfields.FieldManager, error) {
	kind := s.kind.Kind
	types, err := s.inv.TypeConverter(ctx, kind)
	if err != nil {
		return nil, fmt.Errorf("reading the schema of %s, which server-side apply merges by: %w", kind.Kind, err)
	}
	newManager := managedfields.NewDefaultCRDFieldManager
	if builtIn(kind) {
		newManager = managedfields.NewDefaultFieldManager
	}
	convert := sameVersion{kind: kind}
	fields, err := newManager(types, convert, convert, maker{}, kind, kind.GroupVersion(), s.options.Subresource, s.resetFields())
	if err != nil {
		return nil, fmt.Errorf("merging %s by server-side apply: %w", kind.Kind, err)
	}
	return fields, nil
}

// resetFields are the fields that nobody comes to own through the resource or subresource, because the
// strategy puts them back (GetResetFields of each kind's strategy).
func (s *sending) resetFields() map[fieldpath.APIVersion]fieldpath.Filter {
	rules, known := strategyOf(s.kind)
	if !known || !rules.status {
		return nil
	}
	paths := []fieldpath.Path{fieldpath.MakePathOrDie("status")}
	if s.options.Subresource == "status" {
		paths = []fieldpath.Path{fieldpath.MakePathOrDie("spec")}
		if rules.statusKeepsLabels {
			paths = append(paths, fieldpath.MakePathOrDie("metadata", "labels"))
		}
		if !builtIn(s.kind.Kind) {
			paths = append(paths, fieldpath.MakePathOrDie("metadata"))
		}
	}
	version := fieldpath.APIVersion(s.kind.Kind.GroupVersion().String())
	return fieldpath.NewExcludeFilterSetMap(map[fieldpath.APIVersion]*fieldpath.Set{version: fieldpath.NewSet(paths...)})
}

// sameVersion converts objects between the shapes of one version, and knows no other version: the
// API server's conversions are not at hand. It defaults nothing, for the same reason.
type sameVersion struct{ kind schema.GroupVersionKind }

// Convert is not used by field managers.
func (c sameVersion) Convert(in, _, _ any) error {
	return fmt.Errorf("converting a %T is not supported", in)
}

// ConvertFieldLabel is not used by field managers.
func (c sameVersion) ConvertFieldLabel(_ schema.GroupVersionKind, label, value string) (string, string, error) {
	return label, value, nil
}

// ConvertToVersion makes a typed object of an unstructured one where the kind is a built-in one. Another version
// gives an error by which the field manager knows a version that is no longer served.
func (c sameVersion) ConvertToVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, error) {
	if gvk, ok := target.KindForGroupVersionKinds([]schema.GroupVersionKind{c.kind}); !ok || gvk != c.kind {
		return nil, runtime.NewNotRegisteredGVKErrForTarget("request", c.kind, target)
	}
	u, ok := in.(*unstructured.Unstructured)
	if !ok || !builtIn(c.kind) {
		return in, nil
	}
	typed, err := scheme.Scheme.New(c.kind)
	if err != nil {
		return nil, err
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, typed); err != nil {
		return nil, err
	}
	typed.GetObjectKind().SetGroupVersionKind(c.kind)
	return typed, nil
}

// Default does nothing.
func (c sameVersion) Default(runtime.Object) {}

// maker makes empty objects.
type maker struct{}

// New returns an empty object of a kind, typed where the kind is a built-in one.
func (maker) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	if !builtIn(kind) {
		object := &unstructured.Unstructured{}
		object.SetGroupVersionKind(kind)
		return object, nil
	}
	object, err := scheme.Scheme.New(kind)
	if err != nil {
		return nil, err
	}
	object.GetObjectKind().SetGroupVersionKind(kind)
	return object, nil
}
