package cli

import (
	"errors"
	"fmt"
	"net"
	"net/url"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/clientcmd"
)

var errNoKubeconfig = errors.New("no cluster is configured: name a kubeconfig with --kubeconfig or KUBECONFIG, or read manifests with --from")

// explainConfig says what can be done about a kubeconfig that can't be used.
func (f *clusterFlags) explainConfig(err error) error {
	switch {
	case clientcmd.IsEmptyConfig(err):
		return errNoKubeconfig
	case *f.Context != "" && clientcmd.IsContextNotFound(err):
		return fmt.Errorf("%w; `kubectl config get-contexts` lists those that do", err)
	}
	return fmt.Errorf("the kubeconfig can't be used: %w; give another one with --kubeconfig, or read manifests with --from", err)
}

// explainServer says what can be done about an API server that does not answer.
func explainServer(host string, err error) error {
	var network net.Error
	switch {
	case apierrors.IsUnauthorized(err):
		return fmt.Errorf("the API server at %s does not accept the kubeconfig's credentials: log in again, or choose others with --context or --kubeconfig", host)
	case errors.As(err, &network) && network.Timeout():
		return fmt.Errorf("the API server at %s did not answer in time; check --context and --kubeconfig, allow more with --request-timeout, or read manifests with --from", host)
	case errors.As(err, &network):
		return fmt.Errorf("the API server at %s can't be reached: %w; check --context and --kubeconfig, or read manifests with --from", host, cause(err))
	}
	return err
}

// cause is a network error without the request that met it.
func cause(err error) error {
	var request *url.Error
	if errors.As(err, &request) {
		return request.Err
	}
	return err
}
