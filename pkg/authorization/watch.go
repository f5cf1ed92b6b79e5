package authorization

import (
	"context"
	"errors"
	"sync"

	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// Watch is an authorizer for the expressions of policies on one request. CEL's library asks with a context of its own
// and hands an error to the expression, where it reads as a no (k8s.io/apiserver pkg/cel/library/authz.go): Watch
// asks with the request's context, and remembers what nobody could answer.
type Watch struct {
	ctx        context.Context
	authorizer authorizer.UnconditionalAuthorizer

	mu      sync.Mutex
	unknown []error
}

// NewWatch returns a watch for one request.
func NewWatch(ctx context.Context, authorizer authorizer.UnconditionalAuthorizer) *Watch {
	return &Watch{ctx: ctx, authorizer: authorizer}
}

// Authorize implements authorizer.UnconditionalAuthorizer.
func (w *Watch) Authorize(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	decision, reason, err := w.authorizer.Authorize(w.ctx, a) //nolint:contextcheck // the one that is passed never ends
	if isUnknown(err) || err != nil && w.ctx.Err() != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.unknown = append(w.unknown, err)
	}
	return decision, reason, err
}

// Unknown returns the questions that had no answer. While there are any, what an expression made of them is a guess.
func (w *Watch) Unknown() []error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.unknown
}

func isUnknown(err error) bool {
	unknown := (*UnknownError)(nil)
	return errors.As(err, &unknown) || errors.Is(err, ErrNoRBAC)
}
