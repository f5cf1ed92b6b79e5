package authorization

import (
	"context"
	"errors"

	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/client-go/rest"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// Options say who is asked.
type Options struct {
	// Config reaches the API server that the inventory was read from; nil where it was read from files.
	Config *rest.Config
	// Self is whom Config authenticates as, if that is known. Questions about exactly this user are asked by
	// SelfSubjectAccessReview, which takes no right.
	Self user.Info
}

// Authorizer says what requesters may do: as the API server says itself, where it takes access reviews from us; else by the
// inventory's roles and bindings, which are read when first needed. It is safe for concurrent use, asks the API
// server nothing twice, and changes nothing there.
type Authorizer struct {
	inventory inventory.Inventory
	reviews   *reviews // nil without an API server
	objects   once[*RBAC]
}

// New returns an authorizer. Nothing is asked or read yet.
func New(inv inventory.Inventory, options Options) (*Authorizer, error) {
	z := &Authorizer{inventory: inv}
	if options.Config == nil {
		return z, nil
	}
	var err error
	z.reviews, err = newReviews(options.Config, options.Self)
	return z, err
}

// Authorize implements authorizer.UnconditionalAuthorizer. An error that is an *UnknownError, which wraps ErrNoRBAC where the
// files hold no roles and bindings, says that there is no answer; the decision beside it means nothing. Any other error is the
// context's or the API server's authorizers' own.
func (z *Authorizer) Authorize(ctx context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	decision, reason, _, err := z.AuthorizeAssuming(ctx, a)
	return decision, reason, err
}

// AuthorizeAssuming is Authorize, and says what the answer rests on that was not looked at, see policy.Assuming.
func (z *Authorizer) AuthorizeAssuming(ctx context.Context, a authorizer.Attributes) (authorizer.Decision, string, []inventory.Gap, error) {
	answered, err := z.answer(ctx, a)
	if errors.Is(err, ErrNoRBAC) && !errors.As(err, new(*UnknownError)) {
		err = &UnknownError{What: describe(a), Err: err}
	}
	if err != nil {
		return authorizer.DecisionNoOpinion, "", nil, err
	}
	return answered.decision, answered.reason, answered.assumedByPolicies(), answered.err
}

// answer asks whoever can tell. Its error means that nobody can.
func (z *Authorizer) answer(ctx context.Context, a authorizer.Attributes) (answer, error) {
	if a.GetUser() != nil && isPrivileged(a.GetUser()) {
		return answer{decision: authorizer.DecisionAllow, source: SourceGroup}, nil
	}
	if z.reviews == nil {
		return z.byObjects(ctx, a)
	}
	reviewed, err := z.reviews.ask(ctx, a)
	refused := (*refusedError)(nil)
	switch {
	case err == nil:
		return reviewed, nil
	case ctx.Err() != nil:
		return answer{}, ctx.Err()
	case !errors.As(err, &refused):
		return answer{}, &UnknownError{What: describe(a), Err: err}
	}
	return z.insteadOfReview(ctx, a, refused)
}

// byObjects decides by the roles and bindings.
func (z *Authorizer) byObjects(ctx context.Context, a authorizer.Attributes) (answer, error) {
	rbac, err := z.RBAC(ctx)
	switch {
	case err == nil:
	case errors.Is(err, ErrNoRBAC), ctx.Err() != nil:
		return answer{}, err
	default:
		return answer{}, &UnknownError{What: describe(a), Err: err}
	}
	decided := answer{source: SourceRBAC}
	decided.decision, decided.reason, decided.err = rbac.Authorize(ctx, a)
	if !decided.allowed() {
		decided.assumptions = rbac.missing(a)
	}
	return decided, nil
}

// RBAC returns the roles and bindings, which are read once. The error is ErrNoRBAC where files hold none, or the one of reading them.
func (z *Authorizer) RBAC(ctx context.Context) (*RBAC, error) {
	return z.objects.get(ctx, "", func() (*RBAC, error) {
		objects, err := inventory.ReadRBAC(ctx, z.inventory)
		if err != nil {
			return nil, err
		}
		return NewRBAC(objects), nil
	})
}
