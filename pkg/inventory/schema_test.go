package inventory

import (
	"errors"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

const widgets = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {num: {type: integer}}}}}}}
`

// TestSchemaFromFiles: built-in kinds have the schemas of the newest API server known, and custom resources those of their definitions, both with
// what they refer to in them.
func TestSchemaFromFiles(t *testing.T) {
	inventory := readFiles(t, widgets)
	for kind, path := range map[schema.GroupVersionKind][]string{
		{Group: "apps", Version: "v1", Kind: "Deployment"}:                     {"spec", "template", "metadata", "annotations"},
		{Group: "autoscaling", Version: "v2", Kind: "HorizontalPodAutoscaler"}: {"spec", "scaleTargetRef", "name"},
		{Version: "v1", Kind: "Namespace"}:                                     {"metadata", "labels"},
		{Group: "example.com", Version: "v1", Kind: "Widget"}:                  {"spec", "num"},
	} {
		found, err := inventory.Schema(t.Context(), kind)
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		s := *found
		for _, name := range path {
			if _, there := s.Properties[name]; !there {
				t.Fatalf("%s: there is no %s of %v", kind, name, path)
			}
			s = s.Properties[name]
		}
	}
	for _, kind := range []schema.GroupVersionKind{
		{Group: "example.com", Version: "v1", Kind: "Gadget"}, {Group: "apps", Version: "v9", Kind: "Deployment"},
	} {
		if _, err := inventory.Schema(t.Context(), kind); !errors.As(err, new(*NoSchemaError)) {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// TestBuiltinSchemas: every built-in kind that can be written has a schema.
func TestBuiltinSchemas(t *testing.T) {
	for _, kind := range NewKinds(builtin().Discovery.groups()).All() {
		if !slices.Contains(kind.Verbs, "update") {
			continue
		}
		if _, err := builtinSchemas().of(kind.Kind); err != nil {
			t.Error(err)
		}
	}
}
