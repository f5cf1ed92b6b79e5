package audit

import (
	"context"
	"regexp"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// webhookTrial finds the names by which objects escape a mutating webhook: an ordinary user's request is put to its rules, selectors and matchConditions once under a
// name that says nothing and once under each name that stands in a condition.
type webhookTrial struct {
	*view
	configuration string
	webhook       admissionregistrationv1.MutatingWebhook
}

// skippedName is a name that a webhook skips an object by.
type skippedName struct {
	webhookRequest
	name string
}

// webhookRequest is one that a webhook is called for, or of which that isn't known.
type webhookRequest struct {
	object    inventory.Object
	operation admission.Operation
	outcome   policy.WebhookOutcome
}

// call is what becomes of a request.
func (t *webhookTrial) call(ctx context.Context, object inventory.Object, operation admission.Operation) policy.WebhookCall {
	r, err := request.Annotate(OrdinaryUser(), object, request.Change{}, request.Options{Operation: operation})
	if err != nil {
		return policy.WebhookCall{Outcome: policy.WebhookUnknown}
	}
	for _, call := range t.simulator.Webhooks(ctx, r) {
		if call.Kind == policy.KindMutatingWebhooks && call.Configuration == t.configuration && call.Webhook == t.webhook.Name {
			return call
		}
	}
	return policy.WebhookCall{Outcome: policy.WebhookNotMatched}
}

// requests are ordinary ones that the webhook is called for: of each kind the first that there is, and one more in each namespace that a matchCondition names.
func (t *webhookTrial) requests(ctx context.Context) []webhookRequest {
	var found []webhookRequest
	for _, tally := range t.kinds {
		if !tally.kind.Namespaced || !t.lists(tally.kind) || ctx.Err() != nil {
			continue
		}
		object := t.sampleOf(tally.kind).first.object
		if first, called := t.first(ctx, object, t.namespacesFor(tally.kind, object)); called {
			found = append(found, first)
		}
		for _, namespace := range t.namespacesNamed() {
			if named, called := t.first(ctx, object, []string{namespace}); called {
				found = append(found, named)
			}
		}
	}
	return found
}

// lists says whether the webhook may be called for a kind at all, so that nothing is asked about the others.
func (t *webhookTrial) lists(kind inventory.Kind) bool {
	match := &admissionregistrationv1.MatchResources{}
	for _, rule := range t.webhook.Rules {
		match.ResourceRules = append(match.ResourceRules, admissionregistrationv1.NamedRuleWithOperations{RuleWithOperations: rule})
	}
	return policy.Lists(match, kind.Resource.GroupResource())
}

// first is the first request about an object in one of several namespaces that the webhook is called for, else one of which that isn't known.
func (t *webhookTrial) first(ctx context.Context, object inventory.Object, namespaces []string) (webhookRequest, bool) {
	var open *webhookRequest
	for _, namespace := range namespaces {
		for _, operation := range []admission.Operation{admission.Create, admission.Update} {
			one := webhookRequest{object: placed(object, namespace, madeUpName), operation: operation}
			switch one.outcome = t.call(ctx, one.object, operation).Outcome; {
			case one.outcome == policy.WebhookCalled:
				return one, true
			case one.outcome == policy.WebhookUnknown && open == nil:
				open = &one
			}
		}
	}
	if open == nil {
		return webhookRequest{}, false
	}
	return *open, true
}

// namespacesFor are those to look for such a request in: the object's own, others that have its kind, and all others; not the webhook's.
func (t *webhookTrial) namespacesFor(kind inventory.Kind, object inventory.Object) []string {
	var having, all []string
	for at := range t.gathered.tallies {
		if at.kind == kind.Kind.GroupKind() {
			having = append(having, at.namespace)
		}
	}
	for _, namespace := range t.inventory.Namespaces() {
		all = append(all, namespace.Name)
	}
	slices.Sort(having)
	own := ownNamespace(t.webhook.ClientConfig)
	var found []string
	seen := map[string]bool{own: true}
	for _, namespace := range slices.Concat([]string{object.Meta().GetNamespace()}, having, all) {
		if !seen[namespace] {
			seen[namespace] = true
			found = append(found, namespace)
		}
	}
	return found
}

// namespacesNamed are the namespaces that stand in a matchCondition, but for the webhook's own.
func (t *webhookTrial) namespacesNamed() []string {
	var texts, found []string
	for _, c := range t.webhook.MatchConditions {
		texts = append(texts, policy.Texts(c.Expression)...)
	}
	for _, namespace := range t.inventory.Namespaces() {
		if slices.Contains(texts, namespace.Name) && namespace.Name != ownNamespace(t.webhook.ClientConfig) {
			found = append(found, namespace.Name)
		}
	}
	return found
}

// readsName finds expressions that look at some name: request.name, object.metadata.?name, and not request.userInfo.username.
var readsName = regexp.MustCompile(`\bname\b`)

// skips are the names in a matchCondition by which it is false, where the webhook is called otherwise. What is not known of one of them is left open.
func (t *webhookTrial) skips(ctx context.Context, condition admissionregistrationv1.MatchCondition, requests []webhookRequest) []skippedName {
	var found []skippedName
	if !readsName.MatchString(condition.Expression) {
		return nil
	}
	for _, r := range requests {
		for _, text := range policy.Texts(condition.Expression) {
			for _, name := range namesOf([]string{text}) {
				call := t.call(ctx, placed(r.object, r.object.Meta().GetNamespace(), name), r.operation)
				skipped := call.Outcome == policy.WebhookSkipped && call.Condition == condition.Name
				switch {
				case skipped && r.outcome == policy.WebhookUnknown, call.Outcome == policy.WebhookUnknown:
					t.leaveWebhookOpen(r)
				case skipped:
					found = append(found, skippedName{r, name})
				}
				if skipped {
					break // the others are like it
				}
			}
		}
	}
	return found
}

func (t *webhookTrial) leaveWebhookOpen(r webhookRequest) {
	t.gathered.incomplete[inventory.Gap{
		What: "whether " + policy.KindMutatingWebhooks + " " + t.configuration + " skips objects by their names",
		Why:  "whether its webhook " + t.webhook.Name + " would be called for " + typeOf(r.object.Kind) + " depends on what is not known",
	}] = true
}

// placed is an object with another name, in another namespace.
func placed(object inventory.Object, namespace, name string) inventory.Object {
	object.Value = object.Value.DeepCopyObject()
	meta := metaOf(object.Value)
	meta.SetNamespace(namespace)
	meta.SetName(name)
	return object
}
