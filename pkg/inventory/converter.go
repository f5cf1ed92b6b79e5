package inventory

import (
	"fmt"
	"maps"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// builtInConverter knows every built-in kind. Making it takes 70 ms, so it is made when first asked for.
var builtInConverter = sync.OnceValue(func() managedfields.TypeConverter {
	return applyconfigurations.NewTypeConverter(scheme.Scheme)
})

// newTypeConverter makes a converter for all versions of a custom resource, from the schemas in its
// definition, as the API server does (apiextensions-apiserver, buildOpenAPIModelsForApply).
func (k *customKind) newTypeConverter() (managedfields.TypeConverter, error) {
	schemas := map[string]*spec.Schema{}
	for _, version := range k.crd.Spec.Versions {
		document, err := builder.BuildOpenAPIV3(k.crd, version.Name, builder.Options{})
		if err != nil {
			return nil, fmt.Errorf("building the schema of %s: %w", k.crd.Name, err)
		}
		maps.Copy(schemas, document.Components.Schemas)
	}
	return managedfields.NewTypeConverter(schemas, k.crd.Spec.PreserveUnknownFields)
}
