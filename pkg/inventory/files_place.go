package inventory

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// objectKey tells objects apart as etcd does: the version they are written in doesn't count.
type objectKey struct {
	kind            schema.GroupKind
	namespace, name string
}

func (k objectKey) String() string {
	if k.namespace == "" {
		return fmt.Sprintf("%s %s", k.kind.Kind, k.name)
	}
	return fmt.Sprintf("%s %s/%s", k.kind.Kind, k.namespace, k.name)
}

// place adds an object to the inventory, with the API server's defaults where they matter to admission.
func (f *files) place(object *fileObject) error {
	kind, served := f.kindOf(object.kind)
	if !served {
		f.incomplete = append(f.incomplete, f.notServed(object))
		return nil
	}
	m := object.meta()
	switch {
	case kind.Namespaced && m.GetNamespace() == "":
		m.SetNamespace(corev1.NamespaceDefault)
	case !kind.Namespaced && m.GetNamespace() != "":
		return &InputError{Position: object.Position, Field: "metadata.namespace", Err: fmt.Errorf("a %s lies in no namespace; leave this field out", object.kind.Kind)}
	}
	if m.GetName() == "" {
		return f.nameless(object, m.GetGenerateName())
	}
	f.setDefaults(object)
	return f.index(object, objectKey{object.kind.GroupKind(), m.GetNamespace(), m.GetName()})
}

func (f *files) notServed(object *fileObject) Gap {
	return Gap{
		What: fmt.Sprintf("%s %s (%s)", object.kind.Kind, object.meta().GetName(), object.Position),
		Why:  fmt.Sprintf("%s is not served by %s; write it in a version that is", object.kind.GroupVersion(), f.server.Version),
	}
}

// nameless deals with an object that isn't part of any state. A name that the API server would make up
// is no mistake in a manifest.
func (f *files) nameless(object *fileObject, generateName string) error {
	if generateName == "" {
		return &InputError{Position: object.Position, Field: "metadata.name", Err: fmt.Errorf("a %s needs a name", object.kind.Kind)}
	}
	f.incomplete = append(f.incomplete, Gap{
		What: fmt.Sprintf("%s %s (%s)", object.kind.Kind, generateName, object.Position),
		Why:  "it has generateName and no name, so it isn't an object that exists; give it a name, or simulate creating it with -f",
	})
	return nil
}

func (f *files) setDefaults(object *fileObject) {
	switch value := object.value.(type) {
	case *corev1.Namespace:
		setNamespaceDefaults(value)
		f.namespaces = append(f.namespaces, value)
	case *unstructured.Unstructured:
		f.custom.setDefaults(value)
	default:
		f.policies.add(value)
	}
}

func (f *files) index(object *fileObject, key objectKey) error {
	if earlier, found := f.byKey[key]; found {
		return inputErrorf(object.Position, "%s is already in %s; keep one of the two", key, earlier.Position)
	}
	object.redacted = f.redacted[key]
	object.defaulted = object.defaulted || f.allDefaulted
	f.byKey[key] = object
	f.byKind[key.kind] = append(f.byKind[key.kind], object)
	f.occupied[key.namespace] = true
	return nil
}

// sort orders objects by namespace and name, as an API server lists them.
func (f *files) sort() {
	f.policies.sort()
	sortByName(f.namespaces)
	for _, objects := range f.byKind {
		slices.SortFunc(objects, func(a, b *fileObject) int {
			return cmp.Or(strings.Compare(a.meta().GetNamespace(), b.meta().GetNamespace()), strings.Compare(a.meta().GetName(), b.meta().GetName()))
		})
	}
}
