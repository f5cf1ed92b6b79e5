package inventory

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/openapi"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// TypeConverter takes a custom resource's schema from the server's OpenAPI, once a group and version.
func (l *live) TypeConverter(ctx context.Context, kind schema.GroupVersionKind) (managedfields.TypeConverter, error) {
	if isBuiltIn(kind) {
		return builtInConverter(), nil
	}
	return l.converters.get(quiet(ctx), kind.GroupVersion(), func(ctx context.Context) (managedfields.TypeConverter, error) {
		return l.newTypeConverter(ctx, kind)
	})
}

func (l *live) newTypeConverter(ctx context.Context, kind schema.GroupVersionKind) (managedfields.TypeConverter, error) {
	found, err := l.schemasOf(ctx, kind)
	if err != nil {
		return nil, err
	}
	return managedfields.NewTypeConverter(found, false)
}

// Schema takes a kind's schema from the server's OpenAPI, once a group and version.
func (l *live) Schema(ctx context.Context, kind schema.GroupVersionKind) (*spec.Schema, error) {
	found, err := l.schemas.get(quiet(ctx), kind.GroupVersion(), func(ctx context.Context) (schemas, error) { return l.schemasOf(ctx, kind) })
	if err != nil {
		return nil, err
	}
	return found.of(kind)
}

// schemasOf reads what the server publishes of a kind's group and version.
func (l *live) schemasOf(ctx context.Context, kind schema.GroupVersionKind) (schemas, error) {
	paths, err := l.schemaPaths.get(ctx, struct{}{}, openapi.NewClientWithContext(l.client).PathsWithContext)
	if err != nil {
		return nil, fmt.Errorf("reading the schema of %s: %w", kind.GroupVersion(), explain(err))
	}
	root := "apis/"
	if kind.Group == "" {
		root = "api/"
	}
	path, published := paths[root+kind.GroupVersion().String()]
	if !published {
		return nil, &NoSchemaError{Kind: kind}
	}
	data, err := path.SchemaWithContext(ctx, runtime.ContentTypeJSON)
	if err != nil {
		return nil, fmt.Errorf("reading the schema of %s: %w", kind.GroupVersion(), explain(err))
	}
	var document spec3.OpenAPI
	if err := json.Unmarshal(data, &document); err != nil {
		return nil, fmt.Errorf("reading the schema of %s: %w", kind.GroupVersion(), unreadable(err))
	}
	if document.Components == nil {
		return nil, &NoSchemaError{Kind: kind}
	}
	return document.Components.Schemas, nil
}
