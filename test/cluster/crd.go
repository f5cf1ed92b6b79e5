package cluster

import (
	"context"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var customResourceDefinition = schema.GroupKind{Group: apiextensionsv1.GroupName, Kind: "CustomResourceDefinition"}

// waitUntilServed waits until discovery lists every served version of a custom resource. That is the last
// thing to happen to a new definition: it is established, and its handler answers, before.
func (o *objectClient) waitUntilServed(ctx context.Context, object *unstructured.Unstructured) error {
	var definition apiextensionsv1.CustomResourceDefinition
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &definition); err != nil {
		return err
	}
	kind := schema.GroupKind{Group: definition.Spec.Group, Kind: definition.Spec.Names.Kind}

	return Eventually(ctx, func(context.Context) error {
		o.mapper.Reset()
		for _, version := range definition.Spec.Versions {
			if !version.Served {
				continue
			}
			if _, err := o.mapper.RESTMapping(kind, version.Name); err != nil {
				return fmt.Errorf("version %s is not served yet: %w", version.Name, err)
			}
		}
		return nil
	})
}
