package audit

import (
	"strings"
	"testing"
)

const monitoring = "apiVersion: v1\nkind: Namespace\nmetadata: {name: monitoring, labels: {kubernetes.io/metadata.name: monitoring}}"

const butMonitoring = `matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [monitoring, kube-system]}]`

func TestNamespaceExcluded(t *testing.T) {
	g := exempting("false")
	g.selector = butMonitoring
	inPolicy := strings.Replace(exempting("false").String(), "matchConstraints:\n", "matchConstraints:\n    namespaceSelector: {"+butMonitoring+"}\n", 1)
	system := strings.ReplaceAll(monitoring, "monitoring", "kube-system")
	for name, test := range map[string]struct {
		guard   any
		subject Subject
	}{
		"by the binding": {g, Subject{Kind: kindValidatingBinding, Name: "g-binding", Field: "spec.matchResources.namespaceSelector"}},
		"by the policy":  {inPolicy, Subject{Kind: kindValidating, Name: "g", Field: "spec.matchConstraints.namespaceSelector"}},
	} {
		t.Run(name, func(t *testing.T) {
			report := auditOf(t, test.guard, teamA, monitoring, system, deployment("team-a", "web", ""), deployment("monitoring", "grafana", ""), deployment("kube-system", "dns", ""))
			f := one(t, report, "namespace-excluded", "deployments.apps/dns -n kube-system --set downscaler/exclude=true")
			if f.Subject != test.subject || f.Severity != Medium || !strings.Contains(f.Message, "2 namespaces with objects of kinds that ValidatingAdmissionPolicy g guards elsewhere: kube-system and monitoring.") {
				t.Errorf("%+v", f)
			}
		})
	}
}

// Two bindings share the namespaces and leave one out: that is told once.
func TestNamespaceExcludedByBothBindings(t *testing.T) {
	g := exempting("false")
	g.selector = `matchLabels: {kubernetes.io/metadata.name: team-a}`
	other := guard{name: "g", unpoliced: true, selector: `matchLabels: {kubernetes.io/metadata.name: team-b}`}
	teamB := strings.ReplaceAll(monitoring, "monitoring", "team-b")
	labelledA := labelled(teamA, "kubernetes.io/metadata.name: team-a")
	objects := []any{g, strings.Replace(other.String(), "g-binding", "other", 1), labelledA, teamB, monitoring, deployment("team-a", "web", ""), deployment("team-b", "web", "")}
	silent(t, auditOf(t, objects...), "namespace-excluded")
	f := one(t, auditOf(t, append(objects, deployment("monitoring", "grafana", ""))...), "namespace-excluded", "-n monitoring")
	if !strings.Contains(f.Message, "1 namespace with objects of kinds that ValidatingAdmissionPolicy g guards elsewhere: monitoring.") {
		t.Errorf("%+v", f)
	}
}

func TestNamespaceExcludedSilent(t *testing.T) {
	g, other, warning := exempting("false"), exempting("false"), exempting("false")
	g.selector, warning.selector, warning.actions, other.name = butMonitoring, butMonitoring, "[Warn]", "h"
	grafana := deployment("monitoring", "grafana", "")
	for name, manifests := range map[string][]any{
		"hardened":                  {hardened(t), monitoring, grafana},
		"the chart's":               {rendered(t, false), monitoring, grafana},
		"no workloads there":        {g, monitoring},
		"other kinds there":         {func() guard { d := g; d.resources = []string{"apps/deployments"}; return d }(), monitoring, strings.ReplaceAll(nightly, "team-a", "monitoring")},
		"another policy guards it":  {g, other, monitoring, grafana},
		"the namespace is not read": {g, grafana},
		"only a warning":            {warning, monitoring, grafana},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, teamA, deployment("team-a", "web", ""))...), "namespace-excluded")
		})
	}
}
