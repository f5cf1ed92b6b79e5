package inventory

import (
	"context"
	"fmt"
	"iter"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
)

// Objects yields copies, sorted by namespace and name within a kind.
func (f *files) Objects(ctx context.Context, query Query) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		for _, kind := range query.Kinds {
			if !f.yieldKind(ctx, kind, query, yield) {
				return
			}
		}
	}
}

func (f *files) yieldKind(ctx context.Context, kind Kind, query Query, yield func(Object, error) bool) bool {
	var failed []error
	if err, unread := f.unread(kind.Resource.GroupResource()); unread {
		failed = append(failed, err)
	}
	for _, object := range f.byKind[kind.Kind.GroupKind()] {
		if ctx.Err() != nil {
			failed = append(failed, ctx.Err())
			break
		}
		if !query.selects(object) {
			continue
		}
		found, err := f.object(object, kind)
		if err != nil {
			failed = append(failed, object.describe(err))
			continue
		}
		if !yield(found, nil) {
			return false
		}
	}
	if len(failed) > 0 {
		return yield(Object{}, &ListError{Kind: kind, Err: firstOf(failed)})
	}
	return true
}

func (q Query) selects(object *fileObject) bool {
	m := object.meta()
	return (q.Namespace == "" || m.GetNamespace() == q.Namespace) &&
		(q.Selector == nil || q.Selector.Matches(labels.Set(m.GetLabels())))
}

// Get returns a copy.
func (f *files) Get(_ context.Context, kind Kind, namespace, name string) (Object, error) {
	object, found := f.byKey[objectKey{kind.Kind.GroupKind(), namespace, name}]
	if found {
		value, err := f.object(object, kind)
		if err != nil {
			err = object.describe(err)
		}
		return value, err
	}
	if err, unread := f.unread(kind.Resource.GroupResource()); unread {
		return Object{}, err
	}
	return Object{}, apierrors.NewNotFound(kind.Resource.GroupResource(), name)
}

func (f *files) object(object *fileObject, kind Kind) (Object, error) {
	value, err := f.convert(object, kind.Kind)
	return Object{Kind: kind, Value: value, Redacted: object.redacted, Defaulted: object.defaulted}, err
}

func (o *fileObject) describe(err error) error {
	return fmt.Errorf("%s %s (%s): %w", o.kind.Kind, o.meta().GetName(), o.Position, err)
}
