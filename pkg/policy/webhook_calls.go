package policy

import (
	"context"

	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// WebhookOutcome says whether the API server calls a webhook.
type WebhookOutcome string

// The outcomes.
const (
	WebhookNotMatched WebhookOutcome = "NotMatched" // its rules or selectors leave the request out
	WebhookSkipped    WebhookOutcome = "Skipped"    // one of its matchConditions is false
	WebhookCalled     WebhookOutcome = "Called"
	WebhookFails      WebhookOutcome = "Fails"   // its matchConditions do, and failurePolicy decides
	WebhookUnknown    WebhookOutcome = "Unknown" // what it depends on is not known
)

// WebhookCall is what becomes of one request and one webhook.
type WebhookCall struct {
	Kind, Configuration, Webhook string
	Outcome                      WebhookOutcome
	// Condition is a matchCondition that is false, where the webhook is Skipped.
	Condition string

	assumed []inventory.Gap // what an authorizer's answers rest on
}

// WebhookCalls says of each webhook whether the API server calls it about a request, in the order of the configurations' names: mutating
// ones first.
func (s *Set) WebhookCalls(ctx context.Context, request Request) []WebhookCall {
	attributes := request.attributes()
	object := request.Object
	if object == nil {
		object = request.OldObject
	}
	interfaces := s.objectInterfaces(object, s.newConvertor(ctx))
	calls := make([]WebhookCall, len(s.webhooks))
	for i, w := range s.webhooks {
		calls[i] = WebhookCall{Kind: w.kind, Configuration: w.configuration, Webhook: w.name, Outcome: WebhookNotMatched}
		if len(w.constraints.ResourceRules) > 0 { // the matcher takes none for all
			calls[i].decide(ctx, s, w, request, attributes, interfaces)
		}
	}
	return calls
}

func (c *WebhookCall) decide(ctx context.Context, s *Set, w webhook, request Request, attributes *attributes, interfaces admission.ObjectInterfaces) {
	if request.NamespaceUnread && selectsByLabels(&w.constraints) {
		if s.mayMatch(attributes, interfaces, &w.constraints) {
			c.Outcome = WebhookUnknown
		}
		return
	}
	matches, _, kind, err := s.matcher.Matches(attributes, interfaces, criteria{w.constraints})
	switch {
	case err != nil:
		c.Outcome = WebhookUnknown
		return
	case !matches:
		return
	case w.matcher == nil:
		c.Outcome = WebhookCalled
		return
	}
	versioned, err := admission.NewVersionedAttributes(attributes, kind, interfaces)
	if err != nil {
		c.Outcome = WebhookUnknown
		return
	}
	c.evaluate(ctx, s, w, request, versioned)
}

// evaluate asks the matchConditions.
func (c *WebhookCall) evaluate(ctx context.Context, s *Set, w webhook, request Request, versioned *admission.VersionedAttributes) {
	recorder := s.newRecorder(w.kind, request)
	invocation := recorder.begin(w.configuration, w.name, nil)
	result := w.matcher.Match(recorder.context(ctx), versioned, nil, s.authorizerNoting(recorder.assume))
	c.assumed = recorder.assumed
	switch {
	case len(invocation.notKnown) > 0:
		c.Outcome = WebhookUnknown
	case result.FailedConditionName != "":
		c.Outcome, c.Condition = WebhookSkipped, result.FailedConditionName
	case result.Error != nil || !result.Matches:
		c.Outcome = WebhookFails
	default:
		c.Outcome = WebhookCalled
	}
}
