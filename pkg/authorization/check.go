package authorization

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// Decision is what authorization makes of one request.
type Decision struct {
	Allowed bool
	// Verb is the one that decided: the request's, or "create" where a patch or update would create the object.
	Verb string
	// AfterMutation says that the refusal comes only after mutating admission, which a request goes through before it is
	// asked whether it may create. A mutating policy that denies the request answers first.
	AfterMutation bool
	// Reason is the authorizers' own. A plain refusal has none.
	Reason string
	// Status is the API server's answer to a request that isn't allowed, word for word; nil otherwise.
	Status *metav1.Status
	// Source says who decided.
	Source Source
	// Assumptions say what the decision rests on that was not looked at.
	Assumptions []inventory.Gap
}

// Check asks for a request what the API server asks for it before it stores anything. The error is ErrNoRBAC or an *UnknownError
// where that can't be found out, or the context's.
func (z *Authorizer) Check(ctx context.Context, r request.Request) (Decision, error) {
	decision := Decision{Allowed: true, Verb: r.Verb}
	if r.NoRequest {
		return decision, nil
	}
	for i, asked := range questionsOf(r) {
		answered, err := z.answer(ctx, asked)
		if err != nil {
			return Decision{}, err
		}
		decision.Verb, decision.Source, decision.Reason = asked.Verb, answered.source, answered.reason
		decision.Assumptions = append(decision.Assumptions, answered.assumptions...)
		if answered.allowed() {
			continue
		}
		if err := answered.failure(asked); err != nil {
			return Decision{}, err
		}
		decision.Allowed, decision.AfterMutation = false, i > 0
		status := responsewriters.ForbiddenStatusError(asked, answered.reason).Status()
		decision.Status = &status
		return decision, nil
	}
	decision.Assumptions = append(decision.Assumptions, grants(r)...)
	decision.Assumptions = append(decision.Assumptions, z.reading(ctx, r)...)
	return decision, nil
}

// questionsOf returns what authorization is asked for a request, in order: the request as its URL has it, which names no object
// where one is created by POST (k8s.io/apiserver pkg/endpoints/filters/authorization.go and pkg/endpoints/request),
// and whether a patch or update may create (pkg/endpoints/handlers/{patch,update}.go), which does name it.
func questionsOf(r request.Request) []authorizer.AttributesRecord {
	asked := authorizer.AttributesRecord{
		User: r.Requester.User(), ResourceRequest: true, Verb: r.Verb,
		APIGroup: r.Kind.Resource.Group, APIVersion: r.Kind.Resource.Version, Resource: r.Kind.Resource.Resource,
		Subresource: r.Subresource, Namespace: r.Namespace, Name: r.Name,
	}
	if r.Verb == "create" {
		asked.Name = ""
		if !r.Kind.Namespaced {
			asked.Namespace = "" // a Namespace's own name is not yet in the URL
		}
	}
	questions := []authorizer.AttributesRecord{asked}
	if r.MayCreate {
		asked.Verb = "create"
		questions = append(questions, asked)
	}
	return questions
}

// reading says where kubectl would get no further than to read the object, or where that isn't known: the request itself is allowed.
func (z *Authorizer) reading(ctx context.Context, r request.Request) []inventory.Gap {
	if !r.KubectlReads {
		return nil
	}
	get := questionsOf(r)[0]
	get.Verb, get.Name = "get", r.Name
	answered, err := z.answer(ctx, get)
	switch {
	case err != nil:
		return []inventory.Gap{{What: describe(get), Why: fmt.Sprintf("kubectl reads the object before it sends this request, and it is not known: %v", err)}}
	case !answered.allowed():
		return []inventory.Gap{{
			What: describe(get),
			Why:  "it may not, and kubectl reads the object before it sends this request: kubectl fails there, while a client that only sends the request does not",
		}}
	}
	return nil
}
