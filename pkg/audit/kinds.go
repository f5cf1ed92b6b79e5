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

// objects yields what the audit looks at. A chosen namespace is got by its name.
func (a *auditor) objects(ctx context.Context) iter.Seq2[inventory.Object, error] {
	query := a.options.Query
	if len(query.Kinds) == 0 {
		query.Kinds = GuardedKinds(a.inventory.Kinds())
	}
	return func(yield func(inventory.Object, error) bool) {
		if query.Namespace != "" {
			var own *inventory.Kind
			query.Kinds, own = withoutNamespaces(query.Kinds)
			if own != nil && !a.yieldNamespace(ctx, *own, query, yield) {
				return
			}
		}
		for object, err := range a.inventory.Objects(ctx, query) {
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
func (a *auditor) yieldNamespace(ctx context.Context, kind inventory.Kind, query inventory.Query, yield func(inventory.Object, error) bool) bool {
	object, err := a.inventory.Get(ctx, kind, "", query.Namespace)
	if err != nil {
		if _, known := a.inventory.Namespace(ctx, query.Namespace); errors.As(known, new(*inventory.UnreadNamespaceError)) {
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
