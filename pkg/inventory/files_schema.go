package inventory

import (
	"context"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Schema gives a built-in kind the schema that the newest API server known has, and a custom resource the one of its definition.
func (f *files) Schema(_ context.Context, kind schema.GroupVersionKind) (*spec.Schema, error) {
	if custom, defined := f.custom[kind.GroupKind()]; defined {
		return custom.schema(kind)
	}
	return builtinSchemas().of(kind)
}

// schema is what an API server publishes of a version.
func (k *customKind) schema(kind schema.GroupVersionKind) (*spec.Schema, error) {
	document, err := builder.BuildOpenAPIV3(k.crd, kind.Version, builder.Options{})
	if err != nil {
		return nil, fmt.Errorf("building the schema of %s: %w", k.crd.Name, err)
	}
	if document.Components == nil {
		return nil, &NoSchemaError{Kind: kind}
	}
	return schemas(document.Components.Schemas).of(kind)
}
