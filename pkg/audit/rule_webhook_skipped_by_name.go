package audit

import (
	"context"
	"fmt"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// webhookSkippedByName: the downscaler's webhook is not called for objects that are named like the downscaler, wherever they are. The names stand in its
// matchConditions, which are evaluated for an object under another name and under each of these. There is one finding a matchCondition.
var webhookSkippedByName = rule{
	Rule: Rule{ID: "webhook-skipped-by-name", Severity: Medium, Title: "The downscaler's webhook is not called for objects of a certain name"},
	find: findWebhookSkippedByName,
}

func findWebhookSkippedByName(ctx context.Context, v *view) ([]Finding, error) {
	var findings []Finding
	for _, configuration := range v.simulator.Policies().MutatingWebhooks {
		for i, w := range configuration.Webhooks {
			if len(w.MatchConditions) == 0 || !isDownscalerWebhook(configuration.Name, w) {
				continue
			}
			t := &webhookTrial{view: v, configuration: configuration.Name, webhook: w}
			requests := t.requests(ctx)
			for j, c := range w.MatchConditions {
				if skips := t.skips(ctx, c, requests); len(skips) > 0 {
					field := fmt.Sprintf("webhooks[%d].matchConditions[%d].expression", i, j)
					findings = append(findings, t.finding(ctx, field, c, skips))
				}
			}
		}
	}
	return findings, ctx.Err()
}

func (t *webhookTrial) finding(ctx context.Context, field string, c admissionregistrationv1.MatchCondition, skips []skippedName) Finding {
	var names, kinds, namespaces []string
	for _, s := range skips {
		names = addNew(names, s.name)
		kinds = addNew(kinds, typeOf(s.object.Kind))
		namespaces = addNew(namespaces, s.object.Meta().GetNamespace())
	}
	shown := skips[0]
	return Finding{
		Subject:  Subject{Kind: policy.KindMutatingWebhooks, Name: t.configuration, Field: field},
		Distinct: t.webhook.Name + " " + c.Expression,
		Message: fmt.Sprintf("The matchCondition %s of the webhook %s leaves out what is named %s. It was evaluated for an ordinary user's %s in %s: about one named %s the webhook is called, about the same one named %s it is not. Whoever may create a workload of that name escapes what the webhook does to objects that are created or changed.",
			c.Name, t.webhook.Name, enumerate(names), enumerate(kinds), enumerate(namespaces), madeUpName, shown.name),
		Evidence: t.skipEvidence(ctx, c, shown),
		Remedy:   t.skipRemedy(shown.name),
	}
}

// skipEvidence is the creation of two objects that differ in nothing but their names: simulate names the webhook as called for the first only. Where that can't be shown so,
// it is the audit, which evaluates the condition again.
func (t *webhookTrial) skipEvidence(ctx context.Context, c admissionregistrationv1.MatchCondition, s skippedName) string {
	other := bare(s.object)
	named := placed(other, s.object.Meta().GetNamespace(), s.name)
	skipped := t.call(ctx, named, admission.Create)
	if slices.Contains(t.flags, "-") || skipped.Outcome != policy.WebhookSkipped || skipped.Condition != c.Name ||
		t.call(ctx, other, admission.Create).Outcome != policy.WebhookCalled || !t.isCreated(ctx, named) {
		return commandLine([]string{"audit", "-n", s.object.Meta().GetNamespace(), "-o", "wide"}, t.flags)
	}
	return t.sending(other) + "; " + t.sending(named)
}

func (t *webhookTrial) isCreated(ctx context.Context, object inventory.Object) bool {
	r, err := request.Annotate(OrdinaryUser(), object, request.Change{}, request.Options{Operation: admission.Create})
	if err != nil {
		return false
	}
	outcome := t.simulator.Run(ctx, r, simulate.Options{}).Outcome
	return outcome == simulate.Allowed || outcome == simulate.Altered
}

func (t *webhookTrial) skipRemedy(name string) string {
	own := ownNamespace(t.webhook.ClientConfig)
	if own == "" {
		own = "NAMESPACE"
	}
	return fmt.Sprintf("Let the name count in the downscaler's own namespace alone: request.namespace != %q || request.name != %q. No value of GoKubeDownscaler's Helm chart (1.3) does that, and helm upgrade writes the condition anew.", own, name)
}

func addNew(words []string, word string) []string {
	if slices.Contains(words, word) {
		return words
	}
	return append(words, word)
}
