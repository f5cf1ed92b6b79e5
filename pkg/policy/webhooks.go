package policy

import (
	"context"
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// KindMutatingWebhooks is the kind of the configurations whose webhooks may change an object.
const KindMutatingWebhooks = "MutatingWebhookConfiguration"

const kindValidatingWebhooks = "ValidatingWebhookConfiguration"

// webhook is one admission webhook of a configuration, as far as it can be told whether it is called.
type webhook struct {
	kind, configuration, name string
	constraints               admissionregistrationv1.MatchResources
	matcher                   matchconditions.Matcher // nil without matchConditions
}

// compileWebhooks prepares every webhook of the configurations.
func compileWebhooks(env *environment.EnvSet, policies *inventory.Policies) ([]webhook, error) {
	var all []webhook
	for _, configuration := range policies.MutatingWebhooks {
		for _, w := range configuration.Webhooks {
			matcher, err := webhookMatcher(env, w.MatchConditions, w.FailurePolicy, w.Name)
			if err != nil {
				return nil, fmt.Errorf("compiling webhook %q: %w", w.Name, err)
			}
			all = append(all, webhook{
				kind: KindMutatingWebhooks, configuration: configuration.Name, name: w.Name,
				constraints: constraints(w.Rules, w.MatchPolicy, w.NamespaceSelector, w.ObjectSelector), matcher: matcher,
			})
		}
	}
	for _, configuration := range policies.ValidatingWebhooks {
		for _, w := range configuration.Webhooks {
			matcher, err := webhookMatcher(env, w.MatchConditions, w.FailurePolicy, w.Name)
			if err != nil {
				return nil, fmt.Errorf("compiling webhook %q: %w", w.Name, err)
			}
			all = append(all, webhook{
				kind: kindValidatingWebhooks, configuration: configuration.Name, name: w.Name,
				constraints: constraints(w.Rules, w.MatchPolicy, w.NamespaceSelector, w.ObjectSelector), matcher: matcher,
			})
		}
	}
	return all, nil
}

func constraints(rules []admissionregistrationv1.RuleWithOperations, matchPolicy *admissionregistrationv1.MatchPolicyType, namespaces, objects *metav1.LabelSelector) admissionregistrationv1.MatchResources {
	c := admissionregistrationv1.MatchResources{MatchPolicy: matchPolicy, NamespaceSelector: namespaces, ObjectSelector: objects}
	for _, rule := range rules {
		c.ResourceRules = append(c.ResourceRules, admissionregistrationv1.NamedRuleWithOperations{RuleWithOperations: rule})
	}
	return c
}

// webhookMatcher compiles a webhook's matchConditions, which are evaluated as a policy's are.
func webhookMatcher(env *environment.EnvSet, conditions []admissionregistrationv1.MatchCondition, failurePolicy *admissionregistrationv1.FailurePolicyType, name string) (matchconditions.Matcher, error) {
	if len(conditions) == 0 {
		return nil, nil
	}
	c, err := newCompiler(env, nil, false)
	if err != nil {
		return nil, err
	}
	return c.matcher(conditions, failurePolicy, name), nil
}

// Webhooks names the webhooks that the API server would call about a request. What they would
// answer is not known. A webhook of which it is not certain that it isn't called is named, too, and so is what an
// authorizer assumes that its matchConditions ask.
func (s *Set) Webhooks(ctx context.Context, request Request) []inventory.Gap {
	var called []inventory.Gap
	for _, call := range s.WebhookCalls(ctx, request) {
		called = append(called, call.assumed...)
		switch call.Outcome {
		case WebhookCalled, WebhookFails, WebhookUnknown:
			called = append(called, inventory.Gap{
				What: call.Kind + " " + call.Configuration,
				Why:  "its webhook " + call.Webhook + " would be called, and what it does is not known",
			})
		}
	}
	return called
}
