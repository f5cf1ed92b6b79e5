package policy

import (
	"context"

	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// unknownAuthorizer stands where nobody can say what a requester may do. What depends on its answer is
// never taken for an answer: expressions that mention the authorizer are noted as not evaluable.
type unknownAuthorizer struct{}

// Authorize implements authorizer.UnconditionalAuthorizer.
func (unknownAuthorizer) Authorize(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	return authorizer.DecisionNoOpinion, "", nil
}

func (s *Set) authorizerOrUnknown() authorizer.UnconditionalAuthorizer {
	if s.authorizer == nil {
		return unknownAuthorizer{}
	}
	return s.authorizer
}
