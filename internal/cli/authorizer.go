package cli

import (
	"k8s.io/apiserver/pkg/authentication/user"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// authorizer is asked who may do what: the API server by whoever reads the cluster, or the files' roles and bindings. self is
// whom the kubeconfig authenticates as, nil where that is not known. With --as the reader is somebody else.
func (f *stateFlags) authorizer(inv inventory.Inventory, self user.Info) (*authorization.Authorizer, error) {
	if f.fromFiles() {
		return authorization.New(inv, authorization.Options{})
	}
	config, err := f.cluster.config()
	if err != nil {
		return nil, err
	}
	if config.Impersonate.UserName != "" {
		self = nil
	}
	return authorization.New(inv, authorization.Options{Config: config, Self: self})
}

// self is whom the kubeconfig authenticates as, where as-me has found that out.
func (o *simulateOptions) self() user.Info {
	if o.ask == nil {
		return nil
	}
	return o.requester.User()
}
