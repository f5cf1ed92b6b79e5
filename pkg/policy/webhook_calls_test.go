package policy

import (
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// A condition is evaluated where it looks at nothing unknown: metadata.managedFields never is known of what is proposed.
func TestWebhookCalls(t *testing.T) {
	const everything = `, rules: [{apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: ["*"]}]}`
	for name, test := range map[string]struct {
		hook    string
		outcome WebhookOutcome
		by      string
	}{
		"no condition":          {`{name: h.example.com` + everything, WebhookCalled, ""},
		"other objects":         {`{name: h.example.com, objectSelector: {matchLabels: {app: other}}` + everything, WebhookNotMatched, ""},
		"true":                  {`{name: h.example.com, matchConditions: [{name: c, expression: "request.name == 'web'"}]` + everything, WebhookCalled, ""},
		"one false":             {`{name: h.example.com, matchConditions: [{name: c, expression: "true"}, {name: d, expression: "request.name != 'web'"}]` + everything, WebhookSkipped, "d"},
		"false beside a failed": {`{name: h.example.com, matchConditions: [{name: c, expression: "object.spec.nothing"}, {name: d, expression: "request.name != 'web'"}]` + everything, WebhookSkipped, "d"},
		"fails":                 {`{name: h.example.com, matchConditions: [{name: c, expression: "object.spec.nothing"}]` + everything, WebhookFails, ""},
		"fails and is ignored":  {`{name: h.example.com, failurePolicy: Ignore, matchConditions: [{name: c, expression: "object.spec.nothing"}]` + everything, WebhookFails, ""},
		"unknown":               {`{name: h.example.com, matchConditions: [{name: c, expression: "has(object.metadata.managedFields)"}]` + everything, WebhookUnknown, ""},
		"false beside unknown":  {`{name: h.example.com, matchConditions: [{name: c, expression: "!has(object.metadata.managedFields)"}, {name: d, expression: "false"}]` + everything, WebhookSkipped, "d"},
	} {
		t.Run(name, func(t *testing.T) {
			policies := &inventory.Policies{MutatingWebhooks: []*admissionregistrationv1.MutatingWebhookConfiguration{
				parse[admissionregistrationv1.MutatingWebhookConfiguration](t, "metadata: {name: m}\nwebhooks:\n- "+test.hook),
			}}
			r := request("dev", nil, deployment())
			r.Unknown.Object = []string{"metadata.managedFields"}
			calls := compile(t, teamA(), policies).WebhookCalls(t.Context(), r)
			if len(calls) != 1 || calls[0].Outcome != test.outcome || calls[0].Condition != test.by || calls[0].Webhook != "h.example.com" {
				t.Errorf("%+v", calls)
			}
		})
	}
}

// The labels of a namespace that was not read are not known, its name is.
func TestWebhookCallsInUnreadNamespace(t *testing.T) {
	for selector, want := range map[string]WebhookOutcome{
		"{}": WebhookCalled, "{matchLabels: {team: a}}": WebhookUnknown,
		"{matchLabels: {kubernetes.io/metadata.name: team-a}}": WebhookCalled, "{matchLabels: {kubernetes.io/metadata.name: team-b}}": WebhookNotMatched,
	} {
		policies := &inventory.Policies{MutatingWebhooks: []*admissionregistrationv1.MutatingWebhookConfiguration{
			parse[admissionregistrationv1.MutatingWebhookConfiguration](t, `{metadata: {name: m}, webhooks: [{name: h.example.com, namespaceSelector: `+selector+
				`, rules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE]}]}]}`),
		}}
		r := request("dev", nil, deployment())
		r.NamespaceUnread = true
		if calls := compile(t, teamA(), policies).WebhookCalls(t.Context(), r); len(calls) != 1 || calls[0].Outcome != want {
			t.Errorf("%s: %+v", selector, calls)
		}
	}
}
