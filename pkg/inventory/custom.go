package inventory

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/version"
)

var crdKind = schema.GroupKind{Group: apiextensions.GroupName, Kind: "CustomResourceDefinition"}

// customKinds are the custom resources that the files define.
type customKinds map[schema.GroupKind]*customKind

type customKind struct {
	crd       *apiextensionsv1.CustomResourceDefinition
	schemas   map[string]*structuralschema.Structural // by version
	converter func() (managedfields.TypeConverter, error)
}

// readCustomKinds decodes every CustomResourceDefinition among the objects.
func readCustomKinds(objects []*fileObject) (customKinds, error) {
	custom := customKinds{}
	for _, object := range objects {
		if object.kind.GroupKind() != crdKind {
			continue
		}
		kind, err := readCustomKind(object.parsed)
		if err != nil {
			return nil, err
		}
		object.parsed = parsedItem{}
		names := kind.crd.Spec.Names
		custom[schema.GroupKind{Group: kind.crd.Spec.Group, Kind: names.Kind}] = kind
	}
	return custom, nil
}

func readCustomKind(parsed parsedItem) (*customKind, error) {
	crd, err := decodeCRD(parsed.json, parsed.kind)
	if err != nil {
		return nil, parsed.fieldError(err, func(data []byte) error {
			_, err := decodeCRD(data, parsed.kind)
			return err
		})
	}
	kind := &customKind{crd: crd, schemas: map[string]*structuralschema.Structural{}}
	for _, v := range crd.Spec.Versions {
		if kind.schemas[v.Name], err = structural(v.Schema); err != nil {
			return nil, inputErrorf(parsed.raw.Position, "the schema of version %s is not one that an API server takes: %w", v.Name, err)
		}
	}
	kind.converter = sync.OnceValues(kind.newTypeConverter)
	return kind, nil
}

// crdCodec decodes CustomResourceDefinitions of every version and sets their defaults.
var crdCodec = sync.OnceValue(func() runtime.Decoder {
	s := runtime.NewScheme()
	install.Install(s)
	return serializer.NewCodecFactory(s).UniversalDecoder(apiextensionsv1.SchemeGroupVersion)
})

func decodeCRD(data []byte, kind schema.GroupVersionKind) (*apiextensionsv1.CustomResourceDefinition, error) {
	object, _, err := crdCodec().Decode(data, &kind, nil)
	if err != nil {
		return nil, err
	}
	crd, ok := object.(*apiextensionsv1.CustomResourceDefinition)
	if !ok {
		return nil, fmt.Errorf("a CustomResourceDefinition is expected, not %T", object)
	}
	return crd, nil
}

// structural converts a schema to the form that defaulting takes; nil stays nil.
func structural(validation *apiextensionsv1.CustomResourceValidation) (*structuralschema.Structural, error) {
	if validation == nil || validation.OpenAPIV3Schema == nil {
		return nil, nil
	}
	internal := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(validation.OpenAPIV3Schema, internal, nil); err != nil {
		return nil, err
	}
	return structuralschema.NewStructural(internal)
}

// setDefaults sets a custom resource's defaults as the API server does on reading it.
func (c customKinds) setDefaults(object *unstructured.Unstructured) {
	gvk := object.GroupVersionKind()
	kind, found := c[gvk.GroupKind()]
	if !found {
		return
	}
	defaulting.PruneNonNullableNullsWithoutDefaults(object.Object, kind.schemas[gvk.Version])
	defaulting.Default(object.Object, kind.schemas[gvk.Version])
}

// sorted returns the custom kinds by group and kind.
func (c customKinds) sorted() []*customKind {
	kinds := slices.Collect(maps.Values(c))
	slices.SortFunc(kinds, func(a, b *customKind) int {
		return cmp.Or(cmp.Compare(a.crd.Spec.Group, b.crd.Spec.Group), cmp.Compare(a.crd.Spec.Names.Kind, b.crd.Spec.Names.Kind))
	})
	return kinds
}

// addTo adds the versions served to discovery, those that an API server prefers first.
func (k *customKind) addTo(set *kindSet) {
	spec := k.crd.Spec
	if set.hasKind(schema.GroupKind{Group: spec.Group, Kind: spec.Names.Kind}) {
		return
	}
	versions := slices.Clone(spec.Versions)
	slices.SortFunc(versions, func(a, b apiextensionsv1.CustomResourceDefinitionVersion) int {
		return version.CompareKubeAwareVersionStrings(b.Name, a.Name)
	})
	for _, v := range versions {
		if v.Served {
			set.add(schema.GroupVersion{Group: spec.Group, Version: v.Name}, k.resources(v))
		}
	}
}

func (k *customKind) resources(v apiextensionsv1.CustomResourceDefinitionVersion) []metav1.APIResource {
	names := k.crd.Spec.Names
	namespaced := k.crd.Spec.Scope == apiextensionsv1.NamespaceScoped
	resources := []metav1.APIResource{{
		Name: names.Plural, SingularName: names.Singular, Namespaced: namespaced, Kind: names.Kind,
		Verbs: customVerbs, ShortNames: names.ShortNames, Categories: names.Categories,
	}}
	if v.Subresources != nil && v.Subresources.Status != nil {
		resources = append(resources, statusOf(names.Plural, names.Kind, namespaced))
	}
	if v.Subresources != nil && v.Subresources.Scale != nil {
		scale := statusOf(names.Plural, "Scale", namespaced)
		scale.Name, scale.Group, scale.Version = names.Plural+"/scale", "autoscaling", "v1"
		resources = append(resources, scale)
	}
	return resources
}
