package audit

import (
	"strings"
	"testing"
)

// selecting is a binding of a guard with an object selector.
func selectingObjects(g guard, selector string) string {
	return strings.Replace(g.String(), "matchResources: {", "matchResources: {objectSelector: {"+selector+"}, ", 1)
}

func labelled(manifest, labels string) string {
	return strings.Replace(manifest, "metadata: {", "metadata: {labels: {"+labels+"}, ", 1)
}

const mayLabelNamespaces = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: labeller}
rules: [{apiGroups: [""], resources: [namespaces], verbs: [patch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: labellers}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: labeller}
subjects: [SUBJECT]
`

func mayLabel(subject string) string {
	return strings.ReplaceAll(mayLabelNamespaces, "SUBJECT", subject)
}

func TestSelectorOptOut(t *testing.T) {
	g := exempting("false")
	for selector, test := range map[string]struct{ labels, says, evidence string }{
		`matchExpressions: [{key: sleep-guard, operator: NotIn, values: ["off"]}]`: {`team: a`, "the label sleep-guard: off", `"labels":{"sleep-guard":"off","team":"a"}`},
		`matchLabels: {guard: "on"}`:                                     {`guard: "on"`, "the label guard: off", `"labels":{"guard":"off"}`},
		`matchExpressions: [{key: guard, operator: Exists}]`:             {`guard: "on"`, "no label guard", `"name":"compliance-probe"`},
		`matchExpressions: [{key: test, operator: DoesNotExist}]`:        {``, "the label test: off", `"labels":{"test":"off"}`},
		`matchExpressions: [{key: tier, operator: In, values: ["off"]}]`: {`tier: "off"`, "the label tier: none", `"labels":{"tier":"none"}`},
	} {
		t.Run(selector, func(t *testing.T) {
			report := auditOf(t, selectingObjects(g, selector), teamA, labelled(deployment("team-a", "web", ""), test.labels))
			f := one(t, report, "selector-opt-out", "printf %s", `"annotations":{"downscaler/exclude":"true"}`, test.evidence, "simulate as-user nobody@ordinary.invalid -f - --past-authorization")
			if !strings.Contains(f.Message, test.says) || !strings.Contains(f.Message, "in an update before and in its creation") || f.Severity != High {
				t.Errorf("%+v", f)
			}
			if f.Subject != (Subject{Kind: kindValidatingBinding, Name: "g-binding", Field: "spec.matchResources.objectSelector"}) {
				t.Errorf("%+v", f.Subject)
			}
		})
	}
}

// The policy itself selects, and prevents removals only: nothing is created without an annotation.
func TestSelectorOptOutOfRemovals(t *testing.T) {
	g := chartLike(false)[1]
	policy := strings.Replace(g.String(), "matchConstraints:\n", "matchConstraints:\n    objectSelector: {matchLabels: {guard: \"on\"}}\n", 1)
	report := auditOf(t, policy, teamA, labelled(deployment("team-a", "web", `downscaler/exclude: "true"`), `guard: "on"`))
	f := one(t, report, "selector-opt-out", "audit -n team-a")
	if f.Subject != (Subject{Kind: kindValidating, Name: g.name, Field: "spec.matchConstraints.objectSelector"}) || !strings.Contains(f.Message, "gives it in an update before: ") {
		t.Errorf("%+v", f)
	}
}

func TestSelectorOptOutOfNamespaces(t *testing.T) {
	g := exempting(userMatching("^user1$"))
	g.selector = `matchExpressions: [{key: sleep-guard, operator: NotIn, values: ["off"]}]`
	for rbac, says := range map[string]string{
		"": "it is assumed that an ordinary user may change the namespace's labels",
		mayLabel(`{kind: User, name: dev, apiGroup: rbac.authorization.k8s.io}`): `Inferred from RBAC: its labels may be changed by user dev, by `,
	} {
		f := one(t, auditOf(t, g, teamA, deployment("team-a", "web", ""), rbac), "selector-opt-out", "audit -n team-a")
		if !strings.Contains(f.Message, says) || !strings.Contains(f.Message, "the label sleep-guard: off") || f.Subject.Field != "spec.matchResources.namespaceSelector" {
			t.Errorf("%+v", f)
		}
	}
}

func TestSelectorOptOutSilent(t *testing.T) {
	g, elsewhere := exempting(userMatching("^user1$")), exempting("false")
	g.selector = `matchExpressions: [{key: sleep-guard, operator: NotIn, values: ["off"]}]`
	byName := exempting("false")
	byName.selector = `matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [monitoring]}]`
	elsewhere.name = "h"
	labels := exempting("false")
	labels.name, labels.condition, labels.validation = "labels", "true", "oldObject != null && object.metadata.?labels == oldObject.metadata.?labels"
	const off = `matchExpressions: [{key: sleep-guard, operator: NotIn, values: ["off"]}]`
	for name, manifests := range map[string][]any{
		"hardened":                {hardened(t)},
		"no selector":             {exempting("false")},
		"another policy stops it": {selectingObjects(exempting("false"), off), elsewhere},
		"labels are guarded":      {selectingObjects(exempting("false"), off), labels},
		"namespaces by name":      {byName},
		"administrators label":    {g, mayLabel(`{kind: Group, name: "system:masters", apiGroup: rbac.authorization.k8s.io}`)},
		"the authorised label":    {g, mayLabel(`{kind: User, name: user1, apiGroup: rbac.authorization.k8s.io}`)},
		"nobody labels":           {g, mayLabel("")},
		"only a warning":          {selectingObjects(func() guard { w := exempting("false"); w.actions = "[Warn]"; return w }(), off)},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, teamA, deployment("team-a", "web", ""))...), "selector-opt-out")
		})
	}
}
