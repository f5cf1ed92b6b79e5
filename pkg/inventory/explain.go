package inventory

import (
	"context"
	"errors"
	"fmt"
	"net"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// explain adds to an API server's or the network's error what can be done about it.
func explain(err error) error {
	var timeout net.Error
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case apierrors.IsUnauthorized(err):
		return fmt.Errorf("%w; the API server does not accept the kubeconfig's credentials", err)
	case apierrors.IsResourceExpired(err):
		return fmt.Errorf("%w; the list expired while it was read, so that the rest of it is missing; try again", err)
	case errors.As(err, &timeout) && timeout.Timeout(), apierrors.IsTimeout(err), apierrors.IsServerTimeout(err):
		return fmt.Errorf("%w; the API server did not answer in time; try again, or allow more with --request-timeout", err)
	}
	return err
}
