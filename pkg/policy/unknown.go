package policy

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/cel/common"
)

// Unknown says which parts of a request's objects are not known.
type Unknown struct {
	// Object and OldObject are field paths such as "metadata.uid",
	// "spec.template.spec.containers[0].env[1].value" or "metadata.annotations[example.com/key]".
	Object    []string
	OldObject []string
	// UndefaultedObject and UndefaultedOldObject say that an object never passed through an API server: any field
	// missing from it outside its metadata may have a value there.
	UndefaultedObject    bool
	UndefaultedOldObject bool
}

func (u Unknown) empty() bool {
	return len(u.Object) == 0 && len(u.OldObject) == 0 && !u.UndefaultedObject && !u.UndefaultedOldObject
}

// touches notes the unknown fields that an expression has read.
type touches struct{ paths []string }

func (t *touches) add(format string, args ...any) {
	t.paths = append(t.paths, fmt.Sprintf(format, args...))
}

// watch returns a copy of the attributes whose objects note in t every read of an unknown part. The
// values read are the same, so that one evaluation gives both the result and whether to trust it.
func (u Unknown) watch(attr *admission.VersionedAttributes, t *touches) (*admission.VersionedAttributes, error) {
	watched := *attr
	var err error
	if watched.VersionedObject, err = watchObject("object", attr.VersionedObject.Object(), u.Object, u.UndefaultedObject, t); err != nil {
		return nil, err
	}
	watched.VersionedOldObject, err = watchObject("oldObject", attr.VersionedOldObject.Object(), u.OldObject, u.UndefaultedOldObject, t)
	return &watched, err
}

func watchObject(variable string, object runtime.Object, paths []string, undefaulted bool, t *touches) (admission.LazyObject, error) {
	if object == nil || (len(paths) == 0 && !undefaulted) {
		return admission.NewLazyObject(object), nil
	}
	root, err := celValue(object)
	if err != nil {
		return admission.LazyObject{}, err
	}
	w := watcher{variable: variable, unknown: newPathTree(paths), touches: t}
	content := map[string]any{}
	for it := root.Iterator(); it.HasNext() == types.True; {
		key := it.Next()
		value, _ := root.Find(key)
		field := fmt.Sprint(key.Value())
		open := undefaulted && field != "metadata"
		content[field] = w.child(value, w.unknown[field], field, open)
	}
	return admission.NewLazyObject(&unstructured.Unstructured{Object: content}), nil
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

// pathTree holds field paths by their elements; an empty tree is the end of one.
type pathTree map[string]pathTree

func newPathTree(paths []string) pathTree {
	root := pathTree{}
	for _, path := range paths {
		node := root
		for _, element := range splitPath(path) {
			if node[element] == nil {
				node[element] = pathTree{}
			}
			node = node[element]
		}
	}
	return root
}

// splitPath splits "a.b[0].c[x.y/z]" into a, b, 0, c and x.y/z.
func splitPath(path string) []string {
	var elements []string
	for path != "" {
		switch path[0] {
		case '[':
			end := strings.IndexByte(path, ']')
			if end < 0 {
				return append(elements, path[1:])
			}
			elements, path = append(elements, path[1:end]), path[end+1:]
		case '.':
			path = path[1:]
		default:
			end := strings.IndexAny(path, ".[")
			if end < 0 {
				end = len(path)
			}
			elements, path = append(elements, path[:end]), path[end:]
		}
	}
	return elements
}
