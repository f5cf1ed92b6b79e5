package audit

import (
	"context"
	"errors"
	"iter"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// GuardedKinds are the kinds that a server has of those that the downscaler scales, in the version that the downscaler
// reads if the server has it, and namespaces. They are what an audit without a choice of kinds looks at.
func GuardedKinds(served *inventory.Kinds) []inventory.Kind {
	resources := []schema.GroupVersionResource{downscaler.Namespaces}
	for _, k := range downscaler.Kinds() {
		resources = append(resources, k.Resource)
	}
	var kinds []inventory.Kind
	seen := map[schema.GroupResource]bool{}
	for _, resource := range resources {
		kind, found := servedAs(served, resource)
		if found && !seen[resource.GroupResource()] {
			seen[resource.GroupResource()] = true
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// servedAs finds a resource in its version, else in the first one that the server has.
func servedAs(served *inventory.Kinds, resource schema.GroupVersionResource) (inventory.Kind, bool) {
	if kind, found := served.ForResource(resource); found {
		return kind, true
	}
	for _, kind := range served.All() {
		if kind.Resource.GroupResource() == resource.GroupResource() {
			return kind, true
		}
	}
	return inventory.Kind{}, false
}

func isNamespace(kind inventory.Kind) bool {
	return kind.Kind.GroupKind() == downscaler.Namespace.GroupKind()
}

// Objects yields what an audit looks at. Without Kinds they are the GuardedKinds that the inventory has, and with a Namespace that
// one only is yielded as a namespace: it is got by its name. Gap tells what an error left out.
func Objects(ctx context.Context, inv inventory.Inventory, query inventory.Query) iter.Seq2[inventory.Object, error] {
	if len(query.Kinds) == 0 {
		query.Kinds = GuardedKinds(inv.Kinds())
	}
	return func(yield func(inventory.Object, error) bool) {
		if query.Namespace != "" {
			var own *inventory.Kind
			query.Kinds, own = withoutNamespaces(query.Kinds)
			if own != nil && !yieldNamespace(ctx, inv, *own, query, yield) {
				return
			}
		}
		for object, err := range inv.Objects(ctx, query) {
			if !yield(object, err) {
				return
			}
		}
	}
}

func withoutNamespaces(kinds []inventory.Kind) (rest []inventory.Kind, own *inventory.Kind) {
	for _, kind := range kinds {
		if isNamespace(kind) {
			own = &kind
			continue
		}
		rest = append(rest, kind)
	}
	return rest, own
}

// yieldNamespace yields the chosen namespace. That its manifest is not among the files is no error here: it is told where
// something depends on it.
func yieldNamespace(ctx context.Context, inv inventory.Inventory, kind inventory.Kind, query inventory.Query, yield func(inventory.Object, error) bool) bool {
	object, err := inv.Get(ctx, kind, "", query.Namespace)
	if err != nil {
		if _, known := inv.Namespace(ctx, query.Namespace); errors.As(known, new(*inventory.UnreadNamespaceError)) {
			return true
		}
		return yield(object, &namespaceError{name: query.Namespace, err: err})
	}
	if query.Selector != nil && !query.Selector.Matches(labels.Set(object.Meta().GetLabels())) {
		return true
	}
	return yield(object, nil)
}

// namespaceError says that the chosen namespace could not be read.
type namespaceError struct {
	name string
	err  error
}

func (e *namespaceError) Error() string { return "namespace " + e.name + ": " + e.err.Error() }

func (e *namespaceError) Unwrap() error { return e.err }
