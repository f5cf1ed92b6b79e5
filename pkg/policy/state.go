package policy

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	listersv1 "k8s.io/client-go/listers/core/v1"
)

// namespaceLister shows the library the state's namespaces. The library's interfaces carry no context,
// so the one that the set was compiled with bounds the reads.
type namespaceLister struct {
	listersv1.NamespaceListerExpansion
	ctx   context.Context
	state State
}

var _ listersv1.NamespaceLister = namespaceLister{}

// Get implements listersv1.NamespaceLister.
func (l namespaceLister) Get(name string) (*corev1.Namespace, error) {
	return l.state.Namespace(l.ctx, name)
}

// List is part of the interface; matching never asks for it.
func (l namespaceLister) List(labels.Selector) ([]*corev1.Namespace, error) { return nil, nil }

// typeConverters shows the library the state's schemas. A kind without one is remembered in
// missing, because the API server would have it.
type typeConverters struct {
	ctx     context.Context
	state   State
	missing map[schema.GroupVersionKind]error
}

// GetTypeConverter implements patch.TypeConverterManager.
func (c *typeConverters) GetTypeConverter(kind schema.GroupVersionKind) managedfields.TypeConverter {
	converter, err := c.state.TypeConverter(c.ctx, kind)
	if err != nil {
		c.missing[kind] = err
		return nil
	}
	return converter
}

// Run is part of the interface: there is nothing to refresh.
func (c *typeConverters) Run(context.Context) {}
