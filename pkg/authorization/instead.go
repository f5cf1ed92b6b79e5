package authorization

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// RBACAlone is What of the assumption behind a denial by roles and bindings that a live API server could not be asked about.
const RBACAlone = "the API server authorizes by RBAC alone"

// insteadOfReview decides by a live server's roles and bindings, where it takes no access reviews from us.
func (z *Authorizer) insteadOfReview(ctx context.Context, a authorizer.Attributes, refused *refusedError) (answer, error) {
	decided, err := z.byObjects(ctx, a)
	switch {
	case ctx.Err() != nil:
		return answer{}, ctx.Err()
	case err != nil:
		return answer{}, &UnknownError{What: describe(a), Err: bothRefused(refused, err), Needed: needed}
	case !decided.allowed():
		// A server may have more authorizers, which only it can ask.
		decided.assumptions = append(decided.assumptions, inventory.Gap{
			What: RBACAlone,
			Why:  fmt.Sprintf("the roles and bindings say no; whether a webhook or another authorizer says yes could not be asked: %v", refused),
		})
	}
	return decided, nil
}

func bothRefused(refused *refusedError, listing error) error {
	if unknown := (*UnknownError)(nil); errors.As(listing, &unknown) {
		listing = unknown.Err
	}
	return fmt.Errorf("%w; and the roles and bindings can't be read instead: %w", refused, listing)
}
