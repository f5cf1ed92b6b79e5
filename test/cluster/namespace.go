package cluster

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// Finalize takes away a namespace that was deleted, as Admin, in the stead of the controller that would do it. What is in it has to be deleted
// before. A namespace that does not exist is no error.
func (c *Cluster) Finalize(ctx context.Context, name string) error {
	client, err := kubernetes.NewForConfig(c.Admin.Config)
	if err != nil {
		return err
	}
	namespace, err := client.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	namespace.Spec.Finalizers = nil
	_, err = client.CoreV1().Namespaces().Finalize(ctx, namespace, metav1.UpdateOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
