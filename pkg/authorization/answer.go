package authorization

import (
	"errors"
	"fmt"
	"slices"

	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// Source says who decided.
type Source string

// The sources. The privileged group is decided without asking anyone.
const (
	SourceReview Source = "AccessReview"
	SourceRBAC   Source = "RBAC"
	SourceGroup  Source = "PrivilegedGroup"
	// SourceUnknown stands where nobody could tell.
	SourceUnknown Source = "Unknown"
)

// answer is an authorizer's answer to one question.
type answer struct {
	decision    authorizer.Decision
	reason      string
	err         error // the API server's authorizers' own; it would answer the request with it
	source      Source
	assumptions []inventory.Gap
}

func (a answer) allowed() bool { return a.decision == authorizer.DecisionAllow }

// failure is the *UnknownError of a refusal by authorizers that failed; nil for any other answer.
func (a answer) failure(asked authorizer.Attributes) error {
	if a.allowed() || a.err == nil {
		return nil
	}
	return &UnknownError{What: describe(asked), Err: fmt.Errorf("the API server's authorizers fail: %w", a.err)}
}

// assumedByPolicies are the assumptions as they stand behind what a policy makes of the answer, which may be its opposite.
func (a answer) assumedByPolicies() []inventory.Gap {
	assumed := slices.Clone(a.assumptions)
	for i := range assumed {
		if assumed[i].What == RBACAlone || assumed[i].What == RBACFirst {
			assumed[i].What = RBACTellsIt
		}
	}
	return assumed
}

// answerOf reads an access review. Its words are those of the API server's own authorizers
// (k8s.io/kubernetes pkg/registry/authorization/subjectaccessreview/rest.go).
func answerOf(status authorizationv1.SubjectAccessReviewStatus) answer {
	a := answer{decision: authorizer.DecisionNoOpinion, reason: status.Reason, source: SourceReview}
	switch {
	case status.Denied:
		a.decision = authorizer.DecisionDeny
	case status.Allowed:
		a.decision = authorizer.DecisionAllow
	}
	if status.EvaluationError != "" {
		a.err = errors.New(status.EvaluationError)
	}
	return a
}
