package policy

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// definitionKind is the kind whose objects say how the API server converts a custom resource.
var definitionKind = schema.GroupVersionKind{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"}

// errWebhookConverts is why the API server alone can convert some custom resources.
var errWebhookConverts = errors.New("a conversion webhook of its CustomResourceDefinition does that")

// conversion is what is known about how a custom resource is converted between its versions. It is looked up once
// for all requests of a Set.
type conversion struct{ impossible error }

// mayRename returns nil if the API server converts a custom resource by nothing but another apiVersion, which is what
// the strategy None stands for (k8s.io/apiextensions-apiserver pkg/apiserver/conversion, nopConverter).
func (s *Set) mayRename(ctx context.Context, kind schema.GroupVersionKind) error {
	if known, found := s.conversions.Load(kind.GroupKind()); found {
		return known.(conversion).impossible
	}
	err := s.readConversion(ctx, kind)
	s.conversions.Store(kind.GroupKind(), conversion{err})
	return err
}

func (s *Set) readConversion(ctx context.Context, kind schema.GroupVersionKind) error {
	resource, served := s.state.Kinds().ForKind(kind)
	definitions, defined := s.state.Kinds().ForKind(definitionKind)
	if !served || !defined {
		return errors.New("its CustomResourceDefinition is not known")
	}
	definition, err := s.state.Get(ctx, definitions, "", resource.Resource.GroupResource().String())
	if err != nil {
		return fmt.Errorf("its CustomResourceDefinition could not be read: %w", err)
	}
	return onlyRenames(definition)
}

// onlyRenames looks at spec.conversion.strategy, which is None where it is left out.
func onlyRenames(definition inventory.Object) error {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(definition.Value)
	if err != nil {
		return fmt.Errorf("its CustomResourceDefinition can't be decoded: %w", err)
	}
	strategy, found, err := unstructured.NestedString(content, "spec", "conversion", "strategy")
	switch {
	case err != nil:
		return err
	case found && strategy != "None":
		return errWebhookConverts
	}
	return nil
}

// internalRefuses returns the error of the API server's conversion to its internal version, which every object goes through
// after mutation: of the kinds with policies it can only fail for a DaemonSet, whose v1 has a number in an annotation
// (k8s.io/kubernetes pkg/apis/apps/v1/conversion.go).
func internalRefuses(object any) error {
	set, ok := object.(*appsv1.DaemonSet)
	if !ok {
		return nil
	}
	generation, found := set.Annotations[appsv1.DeprecatedTemplateGeneration]
	if !found {
		return nil
	}
	_, err := strconv.ParseInt(generation, 10, 64)
	return err
}
