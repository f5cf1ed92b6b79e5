package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// readDocuments reads the objects of -f or -k that are selected, in the order in which they are sent. Each may be
// there once: what a second one is merged with would be what became of the first.
func (o *simulateOptions) readDocuments(ctx context.Context, kinds *inventory.Kinds) ([]inventory.Document, error) {
	var documents []inventory.Document
	first := map[string]inventory.Position{}
	for document, err := range o.manifests.documents(ctx, o.streams.In) {
		if err == nil {
			err = o.state.scope.checkPlace(document)
		}
		if err != nil {
			return nil, err
		}
		if !selects(o.selection.selector, document) {
			continue
		}
		if name := o.identity(kinds, document); name != "" {
			if earlier, twice := first[name]; twice {
				return nil, fmt.Errorf("%s: %s is in %s already, and one run sends an object once; keep one of the two, or simulate one after the other", document.Position, name, earlier)
			}
			first[name] = document.Position
		}
		documents = append(documents, document)
	}
	if len(documents) == 0 {
		return nil, errNothingSelected
	}
	return documents, nil
}

// errNothingSelected is kubectl's where a selector leaves nothing of the files.
var errNothingSelected = errors.New("no objects passed: none of those in the files has the labels of --selector")

// identity tells objects apart, whatever version they are written in; empty for one without a name.
func (o *simulateOptions) identity(kinds *inventory.Kinds, document inventory.Document) string {
	object := document.Object
	kind, served := kinds.ForKind(object.GroupVersionKind())
	if object.GetName() == "" || !served {
		return ""
	}
	namespace := ""
	if kind.Namespaced {
		namespace = cmp.Or(object.GetNamespace(), o.state.scope.home)
	}
	return describe(kind, namespace, object.GetName())
}

// defines says whether a document is the definition of a custom resource.
func defines(document inventory.Document, group, kind string) bool {
	object := document.Object
	if object.GetKind() != "CustomResourceDefinition" || object.GroupVersionKind().Group != apiextensionsv1.GroupName {
		return false
	}
	definedGroup, _, _ := unstructured.NestedString(object.Object, "spec", "group")
	definedKind, _, _ := unstructured.NestedString(object.Object, "spec", "names", "kind")
	return definedGroup == group && definedKind == kind
}
