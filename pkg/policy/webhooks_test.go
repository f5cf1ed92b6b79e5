package policy

import (
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

func TestWebhooks(t *testing.T) {
	cases := []struct {
		name   string
		hook   string
		called bool
	}{
		{"matching", `{name: h.example.com, rules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE]}]}`, true},
		{"other resource", `{name: h.example.com, rules: [{apiGroups: [apps], apiVersions: [v1], resources: [statefulsets], operations: [CREATE]}]}`, false},
		{"other operation", `{name: h.example.com, rules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [DELETE]}]}`, false},
		{"no rules", `{name: h.example.com}`, false},
		{"other objects", `{name: h.example.com, objectSelector: {matchLabels: {app: other}}, rules: [{apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: ["*"]}]}`, false},
		{"other namespaces", `{name: h.example.com, namespaceSelector: {matchLabels: {team: other}}, rules: [{apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: ["*"]}]}`, false},
		{"condition false", `{name: h.example.com, matchConditions: [{name: c, expression: "request.userInfo.username != 'dev'"}], rules: [{apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: ["*"]}]}`, false},
		{"condition true", `{name: h.example.com, matchConditions: [{name: c, expression: "request.userInfo.username == 'dev'"}], rules: [{apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: ["*"]}]}`, true},
		{"condition fails", `{name: h.example.com, matchConditions: [{name: c, expression: "object.spec.nothing"}], rules: [{apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: ["*"]}]}`, true},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			policies := &inventory.Policies{
				ValidatingWebhooks: []*admissionregistrationv1.ValidatingWebhookConfiguration{
					parse[admissionregistrationv1.ValidatingWebhookConfiguration](t, "metadata: {name: v}\nwebhooks:\n- "+test.hook),
				},
				MutatingWebhooks: []*admissionregistrationv1.MutatingWebhookConfiguration{
					parse[admissionregistrationv1.MutatingWebhookConfiguration](t, "metadata: {name: m}\nwebhooks:\n- "+test.hook),
				},
			}
			called := compile(t, teamA(), policies).Webhooks(t.Context(), request("dev", nil, deployment()))
			if want := 2; test.called && len(called) != want || !test.called && len(called) != 0 {
				t.Errorf("called %v, want called %t", called, test.called)
			}
		})
	}
}
