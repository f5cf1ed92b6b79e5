package policy

import (
	"errors"
	"fmt"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/cel/common"
)

// Unknown says which parts of a request's objects are not known.
type Unknown struct {
	// Object and OldObject are field paths as in inventory.Object's Redacted, such as "metadata.uid".
	Object    []string
	OldObject []string
	// UndefaultedObject and UndefaultedOldObject say that an object never passed through an API server: any field
	// missing from it outside its metadata may have a value there.
	UndefaultedObject    bool
	UndefaultedOldObject bool
	// Redacted says that the objects may hold inventory.Redacted in the place of values. These are found by what
	// they are rather than where, since policies may move them.
	Redacted bool
}

func (u Unknown) empty() bool {
	return len(u.Object) == 0 && len(u.OldObject) == 0 && !u.UndefaultedObject && !u.UndefaultedOldObject && !u.Redacted
}

// touches notes the unknown fields that an expression has read.
type touches struct {
	paths []string
	// sizes says that asking for a size is a read. It is not in an expression that never calls size(): there only the
	// tracking of costs asks.
	sizes bool
}

func (t *touches) add(format string, args ...any) {
	t.paths = append(t.paths, fmt.Sprintf(format, args...))
}

// watch returns a copy of the attributes whose objects note in t every read of an unknown part. The
// values read are the same, so that one evaluation gives both the result and whether to trust it.
func (u Unknown) watch(attr *admission.VersionedAttributes, t *touches) (*admission.VersionedAttributes, error) {
	watched := *attr
	var err error
	object := watcher{variable: "object", touches: t, redacted: u.Redacted}
	if watched.VersionedObject, err = object.watch(attr.VersionedObject.Object(), u.Object, u.UndefaultedObject); err != nil {
		return nil, err
	}
	oldObject := watcher{variable: "oldObject", touches: t, redacted: u.Redacted}
	watched.VersionedOldObject, err = oldObject.watch(attr.VersionedOldObject.Object(), u.OldObject, u.UndefaultedOldObject)
	return &watched, err
}

func (w watcher) watch(object runtime.Object, paths []string, undefaulted bool) (admission.LazyObject, error) {
	if object == nil || len(paths) == 0 && !undefaulted && !w.redacted {
		return admission.NewLazyObject(object), nil
	}
	root, err := celValue(object)
	if err != nil {
		return admission.LazyObject{}, err
	}
	lazy := admission.NewLazyObject(&watchedObject{
		kind: object.GetObjectKind(),
		root: &watchedMap{Mapper: root, watched: watched{watcher: w, below: newPathTree(paths), open: undefaulted}},
	})
	// The only way on which the library asks an object for its value, rather than taking it apart.
	lazy.UseSchemalessTypeRef = true //nolint:staticcheck // deprecated because it is to become the default
	return lazy, nil
}

// watchedObject is an object whose value for CEL is wrapped.
type watchedObject struct {
	kind schema.ObjectKind
	root ref.Val
}

// GetObjectKind implements runtime.Object.
func (o *watchedObject) GetObjectKind() schema.ObjectKind { return o.kind }

// DeepCopyObject implements runtime.Object. Nothing copies what is only evaluated.
func (o *watchedObject) DeepCopyObject() runtime.Object { return o }

// ToUnstructured implements value.UnstructuredConverter: the value is the CEL value itself.
func (o *watchedObject) ToUnstructured() any { return o.root }

// MarshalJSON is part of value.UnstructuredConverter; the library never calls it.
func (o *watchedObject) MarshalJSON() ([]byte, error) {
	return nil, errors.New("a watched object is only evaluated")
}

// UnmarshalJSON is part of value.UnstructuredConverter; the library never calls it.
func (o *watchedObject) UnmarshalJSON([]byte) error {
	return errors.New("a watched object is only evaluated")
}

// celValue is an object as the API server shows it to CEL.
func celValue(object runtime.Object) (traits.Mapper, error) {
	if u, ok := object.(*unstructured.Unstructured); ok {
		return types.DefaultTypeAdapter.NativeToValue(u.Object).(traits.Mapper), nil
	}
	value, ok := common.SchemalessTypedToVal(object).(traits.Mapper)
	if !ok {
		return nil, fmt.Errorf("%T is no object", object)
	}
	return value, nil
}
