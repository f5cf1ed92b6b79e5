package policy

import (
	"context"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// webhook is one admission webhook of a configuration, as far as it can be told whether it is called.
type webhook struct {
	kind, configuration, name string
	constraints               admissionregistrationv1.MatchResources
	matcher                   matchconditions.Matcher // nil without matchConditions
}

// compileWebhooks prepares every webhook of the configurations.
func compileWebhooks(env *environment.EnvSet, policies *inventory.Policies) []webhook {
	var all []webhook
	for _, configuration := range policies.MutatingWebhooks {
		for _, w := range configuration.Webhooks {
			all = append(all, webhook{
				kind: "MutatingWebhookConfiguration", configuration: configuration.Name, name: w.Name,
				constraints: constraints(w.Rules, w.MatchPolicy, w.NamespaceSelector, w.ObjectSelector),
				matcher:     webhookMatcher(env, w.MatchConditions, w.FailurePolicy, w.Name),
			})
		}
	}
	for _, configuration := range policies.ValidatingWebhooks {
		for _, w := range configuration.Webhooks {
			all = append(all, webhook{
				kind: "ValidatingWebhookConfiguration", configuration: configuration.Name, name: w.Name,
				constraints: constraints(w.Rules, w.MatchPolicy, w.NamespaceSelector, w.ObjectSelector),
				matcher:     webhookMatcher(env, w.MatchConditions, w.FailurePolicy, w.Name),
			})
		}
	}
	return all
}

func constraints(rules []admissionregistrationv1.RuleWithOperations, matchPolicy *admissionregistrationv1.MatchPolicyType, namespaces, objects *metav1.LabelSelector) admissionregistrationv1.MatchResources {
	c := admissionregistrationv1.MatchResources{MatchPolicy: matchPolicy, NamespaceSelector: namespaces, ObjectSelector: objects}
	for _, rule := range rules {
		c.ResourceRules = append(c.ResourceRules, admissionregistrationv1.NamedRuleWithOperations{RuleWithOperations: rule})
	}
	return c
}

func webhookMatcher(env *environment.EnvSet, conditions []admissionregistrationv1.MatchCondition, failurePolicy *admissionregistrationv1.FailurePolicyType, name string) matchconditions.Matcher {
	if len(conditions) == 0 {
		return nil
	}
	expressions := make([]plugincel.ExpressionAccessor, len(conditions))
	for i := range conditions {
		expressions[i] = (*matchconditions.MatchCondition)(&conditions[i])
	}
	evaluator := plugincel.NewConditionCompiler(env).CompileCondition(expressions, plugincel.OptionalVariableDeclarations{HasAuthorizer: true}, compiles)
	return matchconditions.NewMatcher(evaluator, failurePolicy, "webhook", "admit", name)
}

// Webhooks names the webhooks that the API server would call about a request. What they would
// answer is not known. A webhook whose matchConditions can't be evaluated for certain is named, too, and so is what an
// authorizer assumes that they ask.
func (s *Set) Webhooks(ctx context.Context, request Request) []inventory.Gap {
	attributes := request.attributes()
	convertor := s.newConvertor(ctx)
	object := request.Object
	if object == nil {
		object = request.OldObject
	}
	interfaces := s.objectInterfaces(object, convertor)
	var called []inventory.Gap
	assume := func(gaps ...inventory.Gap) { called = append(called, gaps...) }
	for _, w := range s.webhooks {
		if len(w.constraints.ResourceRules) > 0 && s.calls(ctx, w, request, attributes, interfaces, assume) {
			called = append(called, inventory.Gap{
				What: w.kind + " " + w.configuration,
				Why:  "its webhook " + w.name + " would be called, and what it does is not known",
			})
		}
	}
	return called
}

func (s *Set) calls(ctx context.Context, w webhook, request Request, attributes *attributes, interfaces admission.ObjectInterfaces, assume func(...inventory.Gap)) bool {
	if request.NamespaceUnread {
		return s.mayMatch(attributes, interfaces, &w.constraints)
	}
	matches, _, kind, err := s.matcher.Matches(attributes, interfaces, criteria{w.constraints})
	if err != nil || !matches {
		return err != nil
	}
	// What can't be evaluated for certain is called.
	if w.matcher == nil || !request.Unknown.empty() || s.authorizer == nil {
		return true
	}
	versioned, err := admission.NewVersionedAttributes(attributes, kind, interfaces)
	if err != nil {
		return true
	}
	var unanswered touches
	result := w.matcher.Match(ctx, versioned, nil, unanswered.asking(ctx, s.authorizerNoting(assume)))
	return len(unanswered.paths) > 0 || result.Matches || result.Error != nil || result.FailedConditionName == ""
}
