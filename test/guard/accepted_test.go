package guard

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
)

// mustBeAccepted creates each guard's policies as they are printed, without a warning, and deletes them. They act no more when it returns.
func mustBeAccepted(t *testing.T, guards ...rendered) {
	t.Helper()
	warned := &cluster.Warnings{}
	config := rest.CopyConfig(server.Admin.Config)
	config.WarningHandler = warned
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range guards {
		warned.Texts = nil
		createAndDelete(t, client, g)
		if len(warned.Texts) > 0 {
			t.Errorf("%s: warnings %q", g.name, warned.Texts)
		}
	}
	if err := server.WaitForPolicies(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func createAndDelete(t *testing.T, client dynamic.Interface, g rendered) {
	t.Helper()
	var undo []func()
	for manifest := range strings.SplitSeq(g.manifests, "\n---\n") {
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(manifest), &object.Object); err != nil {
			t.Fatal(err)
		}
		if len(object.Object) == 0 {
			continue
		}
		resource := client.Resource(policyResource(object))
		if _, err := resource.Create(t.Context(), object, metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict}); err != nil {
			t.Errorf("%s: %s %s is not accepted: %v", g.name, object.GetKind(), object.GetName(), err)
			continue
		}
		undo = append(undo, func() {
			if err := resource.Delete(t.Context(), object.GetName(), metav1.DeleteOptions{}); err != nil {
				t.Errorf("%s: %s %s is not deleted: %v", g.name, object.GetKind(), object.GetName(), err)
			}
		})
	}
	for i := len(undo) - 1; i >= 0; i-- {
		undo[i]()
	}
}

// policyResource is the resource of a policy or binding.
func policyResource(object *unstructured.Unstructured) schema.GroupVersionResource {
	resource := strings.ToLower(object.GetKind()) + "s"
	if strings.HasSuffix(resource, "policys") {
		resource = strings.TrimSuffix(resource, "ys") + "ies"
	}
	return object.GroupVersionKind().GroupVersion().WithResource(resource)
}
