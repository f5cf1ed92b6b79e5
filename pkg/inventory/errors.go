package inventory

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// UnreadNamespaceError says that nothing is known of a namespace: it may exist, but it wasn't among what
// was read. A namespace that is known not to exist is the API server's NotFound instead.
type UnreadNamespaceError struct {
	Name string
}

func (e *UnreadNamespaceError) Error() string {
	return fmt.Sprintf("namespace %q is not among the manifests, so its labels are not known; add its Namespace object", e.Name)
}

// UnreadKindError says that the objects of a kind were not read, wholly or in part, so that it isn't known
// which there are. Snapshots give it for the kinds that they don't hold.
type UnreadKindError struct {
	Resource schema.GroupResource
	Why      string
}

// Error leaves the resource to whoever asked for it.
func (e *UnreadKindError) Error() string { return e.Why }

// NoSchemaError says that there is no schema for a custom resource, so that it can't be merged as the API
// server would.
type NoSchemaError struct {
	Kind schema.GroupVersionKind
}

func (e *NoSchemaError) Error() string {
	return fmt.Sprintf("there is no schema for %s of %s; its CustomResourceDefinition would give one", e.Kind.Kind, e.Kind.GroupVersion())
}

// ConversionError says that an object is written in a version that only an API server can convert.
type ConversionError struct {
	From, To schema.GroupVersionKind
}

func (e *ConversionError) Error() string {
	return fmt.Sprintf("it is written in %s, and only an API server can convert it to %s; write it in that version", e.From.GroupVersion(), e.To.GroupVersion())
}

// firstOf puts several errors in one sentence.
func firstOf(all []error) error {
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return fmt.Errorf("%w (and %d more)", all[0], len(all)-1)
}
