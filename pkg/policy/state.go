package policy

import (
	"context"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
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
	if kind == scaleKind {
		return knowsNothing
	}
	converter, err := c.state.TypeConverter(c.ctx, kind)
	if err != nil {
		c.missing[kind] = err
		return nil
	}
	return converter
}

// scaleKind is what admission sees of X/scale.
var scaleKind = autoscalingv1.SchemeGroupVersion.WithKind("Scale")

// knowsNothing is the converter that the API server has for Scale: it looks for a kind's schema in the OpenAPI document of
// the kind's group and version, and that of autoscaling/v1 has none for Scale, which is no resource there
// (k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch, typeConverterManager).
var knowsNothing = func() managedfields.TypeConverter {
	converter, err := managedfields.NewTypeConverter(nil, false)
	if err != nil {
		panic(err) // there is nothing in it to be wrong
	}
	return converter
}()

// Run is part of the interface: there is nothing to refresh.
func (c *typeConverters) Run(context.Context) {}
