package authorization

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// What of the assumptions behind an answer by roles and bindings that a live API server could not be asked for: behind a denial, behind
// a permission, and behind what a policy's authorizer is told.
const (
	RBACAlone   = "the API server authorizes by RBAC alone"
	RBACFirst   = "no authorizer of the API server says no before RBAC"
	RBACTellsIt = "policies are told what RBAC says"
)

// insteadOfReview decides by a live server's roles and bindings, where it takes no access reviews from us.
func (z *Authorizer) insteadOfReview(ctx context.Context, a authorizer.Attributes, refused *refusedError) (answer, error) {
	decided, err := z.byObjects(ctx, a)
	switch {
	case ctx.Err() != nil:
		return answer{}, ctx.Err()
	case err != nil:
		return answer{}, &UnknownError{What: describe(a), Err: bothRefused(refused, err), Needed: needed}
	}
	// A server may have more authorizers, which only it can ask.
	gap := inventory.Gap{
		What: RBACAlone,
		Why:  fmt.Sprintf("the roles and bindings say no; whether a webhook or another authorizer says yes could not be asked: %v", refused),
	}
	if decided.allowed() {
		gap = inventory.Gap{
			What: RBACFirst,
			Why:  fmt.Sprintf("the roles and bindings say yes; whether a webhook or another authorizer before them says no could not be asked: %v", refused),
		}
	}
	decided.assumptions = append(decided.assumptions, gap)
	return decided, nil
}

func bothRefused(refused *refusedError, listing error) error {
	if unknown := (*UnknownError)(nil); errors.As(listing, &unknown) {
		listing = unknown.Err
	}
	return fmt.Errorf("%w; and the roles and bindings can't be read instead: %w", refused, listing)
}
