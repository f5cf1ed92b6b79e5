package cases

import (
	"bytes"
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// serverRefuses creates a policy or binding by dry run and returns what the API server has against it, empty if nothing.
func serverRefuses(ctx context.Context, config *rest.Config, inv inventory.Inventory, object Object) (string, error) {
	kind, _, err := kindOf(inv, Request{Send: object})
	if err != nil {
		return "", err
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return "", err
	}
	_, err = client.Resource(kind.Resource).Create(ctx, &unstructured.Unstructured{Object: object}, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	if status := apierrors.APIStatus(nil); errors.As(err, &status) {
		return err.Error(), nil
	}
	return "", err
}

// pluginRefuses returns what the plugin has against a policy or binding in a file, empty if nothing.
func pluginRefuses(ctx context.Context, object Object) (string, error) {
	content, err := manifests([]Object{object})
	if err != nil {
		return "", err
	}
	inv, err := inventory.FromFiles(ctx, inventory.FileSource{Path: "refused", Reader: bytes.NewReader(content)})
	if invalid := (*inventory.InputError)(nil); errors.As(err, &invalid) {
		return err.Error(), nil
	}
	if err != nil {
		return "", err
	}
	var found []policy.CompileError
	for _, p := range inv.Policies().Validating {
		if found, err = policy.CompileErrors(p, policy.New, inv.Server().Version); err != nil {
			return "", err
		}
	}
	for _, p := range inv.Policies().Mutating {
		if found, err = policy.MutatingCompileErrors(p, policy.New, inv.Server().Version); err != nil {
			return "", err
		}
	}
	if len(found) == 0 {
		return "", nil
	}
	return found[0].Field + ": " + found[0].Message, nil
}
