package cli

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// missesAccount says whether a user name is that of a service account that is known not to exist. Manifests have some
// of the accounts at most, so that only one which has others beside it is missed.
func missesAccount(ctx context.Context, inv inventory.Inventory, username string) bool {
	namespace, name, err := serviceaccount.SplitUsername(username)
	kind, served := inv.Kinds().ForKind(schema.GroupVersionKind{Version: "v1", Kind: "ServiceAccount"})
	if err != nil || !served {
		return false
	}
	if _, err := inv.Get(ctx, kind, namespace, name); !apierrors.IsNotFound(err) {
		return false
	}
	if !inv.Server().Assumed {
		return true
	}
	for _, err := range inv.Objects(ctx, inventory.Query{Kinds: []inventory.Kind{kind}, Namespace: namespace}) {
		return err == nil && name != "default"
	}
	return false
}
