package policy

import (
	"context"
	"errors"

	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// Unanswered is implemented by those errors of an authorizer which say that nobody could answer it: neither a yes nor a no.
type Unanswered interface {
	error
	Unanswered()
}

// unknownAuthorizer stands where nobody can say what a requester may do. What depends on its answer is
// never taken for an answer: expressions that mention the authorizer are noted as not evaluable.
type unknownAuthorizer struct{}

// Authorize implements authorizer.UnconditionalAuthorizer.
func (unknownAuthorizer) Authorize(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	return authorizer.DecisionNoOpinion, "", nil
}

// authorizerNoting is the authorizer, and hands note what its answers rest on.
func (s *Set) authorizerNoting(note func(...inventory.Gap)) authorizer.UnconditionalAuthorizer {
	if s.authorizer == nil {
		return unknownAuthorizer{}
	}
	return assuming{s.authorizer, note}
}

// Assuming is implemented by authorizers that say what an answer rests on that they did not look at.
type Assuming interface {
	AuthorizeAssuming(context.Context, authorizer.Attributes) (authorizer.Decision, string, []inventory.Gap, error)
}

// assuming notes what the answers rest on. It stands behind the dispatchers' cache, and is asked each question once.
type assuming struct {
	authorizer.UnconditionalAuthorizer
	note func(...inventory.Gap)
}

// Authorize implements authorizer.UnconditionalAuthorizer.
func (a assuming) Authorize(ctx context.Context, attributes authorizer.Attributes) (authorizer.Decision, string, error) {
	inner, ok := a.UnconditionalAuthorizer.(Assuming)
	if !ok {
		return a.UnconditionalAuthorizer.Authorize(ctx, attributes)
	}
	decision, reason, assumptions, err := inner.AuthorizeAssuming(ctx, attributes)
	a.note(assumptions...)
	return decision, reason, err
}

// asking is the authorizer of one evaluation. CEL's library asks with a context that never ends and hands an error to the expression,
// where it reads as a no (k8s.io/apiserver pkg/cel/library/authz.go): asking asks with the evaluation's context, and notes what nobody
// could answer as the reads of unknown fields are noted. It stands before the dispatchers' cache, which answers a question
// asked before (pkg/admission/plugin/authorizer), and with the same error.
type asking struct {
	ctx        context.Context
	authorizer authorizer.UnconditionalAuthorizer
	touches    *touches
}

func (t *touches) asking(ctx context.Context, inner authorizer.UnconditionalAuthorizer) authorizer.UnconditionalAuthorizer {
	if inner == nil {
		return nil
	}
	return &asking{ctx: ctx, authorizer: inner, touches: t}
}

// Authorize implements authorizer.UnconditionalAuthorizer.
func (a *asking) Authorize(_ context.Context, attributes authorizer.Attributes) (authorizer.Decision, string, error) {
	decision, reason, err := a.authorizer.Authorize(a.ctx, attributes) //nolint:contextcheck // the one that is passed never ends
	if unanswered := Unanswered(nil); errors.As(err, &unanswered) || err != nil && a.ctx.Err() != nil {
		a.touches.add("authorizer (%v)", err)
	}
	return decision, reason, err
}
