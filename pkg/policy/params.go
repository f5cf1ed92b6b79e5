package policy

import (
	"context"
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
)

// paramSource gives the library the objects of one parameter kind.
type paramSource struct {
	informer informers.GenericInformer
	scope    meta.RESTScope
	resource schema.GroupResource
	// configurationError is what the API server has where the kind is not served.
	configurationError error
	// unread is set where the objects exist and could not be read, or the policy itself can't be read here.
	unread error
}

// paramSources reads each parameter kind once, for every policy that uses it.
type paramSources struct {
	ctx   context.Context
	state State
	read  map[schema.GroupVersionKind]paramSource
}

func newParamSources(ctx context.Context, state State) *paramSources {
	return &paramSources{ctx: ctx, state: state, read: map[schema.GroupVersionKind]paramSource{}}
}

func (s *paramSources) source(kind *admissionregistrationv1.ParamKind) paramSource {
	if kind == nil {
		return paramSource{}
	}
	gvk := schema.FromAPIVersionAndKind(kind.APIVersion, kind.Kind)
	if source, ok := s.read[gvk]; ok {
		return source
	}
	source := s.load(gvk)
	s.read[gvk] = source
	return source
}

func (s *paramSources) load(gvk schema.GroupVersionKind) paramSource {
	objects, kind, err := s.state.Params(s.ctx, gvk)
	if meta.IsNoMatchError(err) {
		return paramSource{configurationError: fmt.Errorf("failed to find resource referenced by paramKind: '%v'", gvk)}
	}
	if err != nil {
		return paramSource{unread: fmt.Errorf("the parameters of kind %s could not be read: %w", gvk.Kind, err)}
	}
	source := paramSource{scope: meta.RESTScopeRoot, resource: kind.Resource.GroupResource()}
	if kind.Namespaced {
		source.scope = meta.RESTScopeNamespace
	}
	informed := make([]runtime.Object, len(objects)) // the inventory's own stay as they are
	for i, object := range objects {
		informed[i] = asInformed(object)
	}
	if source.informer, err = newStaticInformer(source.resource, informed...); err != nil {
		return paramSource{unread: err}
	}
	return source
}

// newStaticInformer returns an informer that has just these objects.
func newStaticInformer(resource schema.GroupResource, objects ...runtime.Object) (informers.GenericInformer, error) {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	for _, object := range objects {
		if err := indexer.Add(object); err != nil {
			return nil, err
		}
	}
	return staticInformer{lister: cache.NewGenericLister(indexer, resource)}, nil
}

// asInformed returns a parameter as the API server's informers hold it: built-in kinds without
// apiVersion and kind, which `params.kind` shows.
func asInformed(object runtime.Object) runtime.Object {
	if _, ok := object.(*unstructured.Unstructured); ok {
		return object
	}
	object = object.DeepCopyObject()
	object.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	return object
}

// staticInformer is an informer whose objects never change.
type staticInformer struct{ lister cache.GenericLister }

// Informer implements informers.GenericInformer.
func (i staticInformer) Informer() cache.SharedIndexInformer { return syncedInformer{} }

// Lister implements informers.GenericInformer.
func (i staticInformer) Lister() cache.GenericLister { return i.lister }

// syncedInformer answers the one question that the library asks an informer.
type syncedInformer struct{ cache.SharedIndexInformer }

// HasSynced implements cache.SharedIndexInformer.
func (syncedInformer) HasSynced() bool { return true }
