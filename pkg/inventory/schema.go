package inventory

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// schemas are OpenAPI schemas by their names, which refer to each other.
type schemas map[string]*spec.Schema

const schemaReference = "#/components/schemas/"

// of returns a kind's schema with what it refers to in it; a *NoSchemaError where there is none.
func (s schemas) of(kind schema.GroupVersionKind) (*spec.Schema, error) {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if slices.Contains(kindsOf(s[name]), kind) {
			return resolver.PopulateRefs(func(ref string) (*spec.Schema, bool) {
				found, ok := s[strings.TrimPrefix(ref, schemaReference)]
				return found, ok
			}, name)
		}
	}
	return nil, &NoSchemaError{Kind: kind}
}

// kindsOf are the kinds that a schema says it is of.
func kindsOf(s *spec.Schema) []schema.GroupVersionKind {
	var kinds []schema.GroupVersionKind
	if err := s.Extensions.GetObject("x-kubernetes-group-version-kind", &kinds); err != nil {
		return nil
	}
	return kinds
}
