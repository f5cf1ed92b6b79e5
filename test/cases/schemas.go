package cases

import (
	"context"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
)

// waitForSchemas waits until the API server knows the custom resources' schemas, without which no ApplyConfiguration works:
// it looks for them every five seconds. world.yaml has a policy that mutates a Gadget of this name alone.
func waitForSchemas(ctx context.Context, c *cluster.Cluster) error {
	client, err := dynamic.NewForConfig(c.Admin.Config)
	if err != nil {
		return err
	}
	gadgets := client.Resource(schema.GroupVersionResource{Group: "cases.example.com", Version: "v1", Resource: "gadgets"}).Namespace(metav1.NamespaceDefault)
	probe := &unstructured.Unstructured{Object: Object{
		"apiVersion": "cases.example.com/v1", "kind": "Gadget", "metadata": Object{"name": "schema-probe"},
	}}
	return cluster.Eventually(ctx, func(ctx context.Context) error {
		stored, err := gadgets.Create(ctx, probe, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		if err == nil && colorOf(stored) != "probed" {
			err = errors.New("the policy of world.yaml does not act yet")
		}
		return err
	})
}

func colorOf(gadget *unstructured.Unstructured) string {
	color, _, _ := unstructured.NestedString(gadget.Object, "spec", "color")
	return color
}
