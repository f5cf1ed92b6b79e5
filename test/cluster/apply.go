package cluster

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/restmapper"
)

// fieldManager owns what Apply sets, unlike anything that tests look for in managedFields.
const fieldManager = "test-setup"

// Apply applies YAML or JSON documents as Admin, server-side. Definitions of custom resources come first,
// and their objects once they are served; Namespaces come before what is in them, and policies last. A namespaced object
// without a namespace goes to default. Policies act a little later: see WaitForPolicies.
func (c *Cluster) Apply(ctx context.Context, manifests []byte) error {
	objects, err := decode(manifests)
	if err != nil {
		return err
	}
	slices.SortStableFunc(objects, func(a, b *unstructured.Unstructured) int {
		return cmp.Compare(rank(a), rank(b))
	})

	client, err := c.objectClient()
	if err != nil {
		return err
	}
	for _, object := range objects {
		if err := client.apply(ctx, object); err != nil {
			return fmt.Errorf("applying %s %s: %w", object.GetKind(), object.GetName(), err)
		}
	}
	return nil
}

// Delete deletes, as Admin, the objects that the documents name, in the documents' order. An object that
// does not exist is no error. Deleted policies act a little longer: see WaitForPolicies.
func (c *Cluster) Delete(ctx context.Context, manifests []byte) error {
	objects, err := decode(manifests)
	if err != nil {
		return err
	}
	client, err := c.objectClient()
	if err != nil {
		return err
	}
	for _, object := range objects {
		if err := client.delete(ctx, object); err != nil {
			return fmt.Errorf("deleting %s %s: %w", object.GetKind(), object.GetName(), err)
		}
	}
	return nil
}

func decode(manifests []byte) ([]*unstructured.Unstructured, error) {
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(manifests), 4096)
	var objects []*unstructured.Unstructured
	for {
		object := &unstructured.Unstructured{}
		err := decoder.Decode(&object.Object)
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, fmt.Errorf("manifest %d: %w", len(objects)+1, err)
		}
		if len(object.Object) > 0 { // a document may hold nothing but a comment
			objects = append(objects, object)
		}
	}
}

// rank puts first what other objects can't be created without, and last the policies that may refuse them.
func rank(object *unstructured.Unstructured) int {
	if object.GroupVersionKind().Group == "admissionregistration.k8s.io" {
		return 3
	}
	switch object.GroupVersionKind().GroupKind() {
	case customResourceDefinition:
		return 0
	case schema.GroupKind{Kind: "Namespace"}:
		return 1
	default:
		return 2
	}
}

// An objectClient reads and writes objects of any kind.
type objectClient struct {
	dynamic dynamic.Interface
	mapper  *restmapper.DeferredDiscoveryRESTMapper
}

func (c *Cluster) objectClient() (*objectClient, error) {
	dynamicClient, err := dynamic.NewForConfig(c.Admin.Config)
	if err != nil {
		return nil, err
	}
	discoveryClient, err := discovery.NewDiscoveryClientForConfig(c.Admin.Config)
	if err != nil {
		return nil, err
	}
	return &objectClient{
		dynamic: dynamicClient,
		mapper:  restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(discoveryClient)),
	}, nil
}

func (o *objectClient) apply(ctx context.Context, object *unstructured.Unstructured) error {
	resource, err := o.resource(object)
	if err != nil {
		return err
	}
	options := metav1.ApplyOptions{FieldManager: fieldManager, Force: true}
	if _, err := resource.Apply(ctx, object.GetName(), object, options); err != nil {
		return err
	}
	if object.GroupVersionKind().GroupKind() == customResourceDefinition {
		return o.waitUntilServed(ctx, object)
	}
	return nil
}

func (o *objectClient) delete(ctx context.Context, object *unstructured.Unstructured) error {
	resource, err := o.resource(object)
	if meta.IsNoMatchError(err) {
		return nil // its definition is gone, and so is the object
	}
	if err != nil {
		return err
	}
	background := metav1.DeletePropagationBackground // what the API server does anyway, but for Jobs, of which it warns
	err = resource.Delete(ctx, object.GetName(), metav1.DeleteOptions{PropagationPolicy: &background})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

func (o *objectClient) resource(object *unstructured.Unstructured) (dynamic.ResourceInterface, error) {
	kind := object.GroupVersionKind()
	mapping, err := o.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return nil, err
	}
	resource := o.dynamic.Resource(mapping.Resource)
	if mapping.Scope.Name() == meta.RESTScopeNameRoot {
		return resource, nil
	}
	return resource.Namespace(cmp.Or(object.GetNamespace(), metav1.NamespaceDefault)), nil
}
