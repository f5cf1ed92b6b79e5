package request

import (
	"fmt"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// checkReadable returns an error for what the API server can't read, and so refuses with words that are not known here: a custom
// resource whose metadata a mutation made of another form than metadata has, since the message holds all of the metadata
// (k8s.io/apiextensions-apiserver pkg/registry/customresource/validator.go, getObjectMeta), and a DaemonSet whose number of
// the template's generations, which v1 has as an annotation, is none, since every way of sending it fails with another message.
func checkReadable(object runtime.Object) error {
	switch o := object.(type) {
	case *unstructured.Unstructured:
		metadata, ok := o.Object["metadata"].(map[string]any)
		if !ok {
			return fmt.Errorf("a mutation leaves %T in the place of metadata, which the API server refuses", o.Object["metadata"])
		}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(metadata, &metav1.ObjectMeta{}); err != nil {
			return fmt.Errorf("a mutation leaves metadata that can't be read, which the API server refuses: %w", err)
		}
	case *appsv1.DaemonSet:
		generation, found := o.Annotations[appsv1.DeprecatedTemplateGeneration]
		if _, err := strconv.ParseInt(generation, 10, 64); found && err != nil {
			return fmt.Errorf("the annotation %s is no number, which the API server refuses", appsv1.DeprecatedTemplateGeneration)
		}
	}
	return nil
}
