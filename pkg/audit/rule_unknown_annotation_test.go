package audit

import (
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

func TestUnknownAnnotation(t *testing.T) {
	for name, test := range map[string]struct {
		annotations     string
		message, remedy string
	}{
		"misspelt":               {`downscaler/exlude: "true"`, `value is "true". The nearest that it reads is downscaler/exclude.`, "kubectl annotate deployments.apps/web -n team-a downscaler/exlude- downscaler/exclude=true"},
		"its value, too":         {`downscaler/exlude: "1"`, "nearest that it reads is downscaler/exclude", "downscaler/exlude- downscaler/exclude=true"},
		"a value nobody takes":   {`downscaler/exlude: "perhaps"`, "downscaler/exclude", "remove this one: kubectl annotate deployments.apps/web -n team-a downscaler/exlude-"},
		"the older downscaler's": {`downscaler/downtime-replicas: "1"`, "downscaler/downscale-replicas", "downscaler/downtime-replicas- downscaler/downscale-replicas=1"},
		"beside the right one":   {`downscaler/exlude: "true", downscaler/exclude: "true"`, "downscaler/exlude", "since the object has downscaler/exclude, too: kubectl annotate deployments.apps/web -n team-a downscaler/exlude-"},
		"like none":              {`downscaler/something-else-entirely: "x"`, `downscaler/something-else-entirely; its value is "x".`, "Remove it: kubectl annotate deployments.apps/web -n team-a downscaler/something-else-entirely-"},
	} {
		t.Run(name, func(t *testing.T) {
			f := one(t, auditOf(t, chartLike(false), teamA, deployment("team-a", "web", test.annotations)), "unknown-annotation", "audit -n team-a -o ")
			if f.Severity != Low || !strings.Contains(f.Message, test.message) || !strings.Contains(f.Remedy, test.remedy) {
				t.Errorf("%+v", f)
			}
		})
	}
}

// Who set an annotation and when is said of every one of these findings.
func TestUnknownAnnotationSetBy(t *testing.T) {
	owned := strings.ReplaceAll(deployment("team-a", "web", `downscaler/exlude: "true"`), "generation: 1", `generation: 1, managedFields: [
  {manager: helm, operation: Update, apiVersion: apps/v1, time: "2026-02-01T00:00:00Z", fieldsType: FieldsV1, fieldsV1: {"f:metadata": {"f:annotations": {"f:downscaler/exlude": {}}}}}]`)
	f := one(t, auditOf(t, teamA, owned), "unknown-annotation")
	if !strings.HasSuffix(f.Message, " Its field manager is helm, which wrote last at 2026-02-01T00:00:00Z.") || f.Subject.Field != `metadata.annotations["downscaler/exlude"]` {
		t.Errorf("%+v", f)
	}
}

func TestUnknownAnnotationSilent(t *testing.T) {
	for name, test := range map[string]struct {
		options   Options
		manifests []any
	}{
		"known":                    {Options{}, []any{deployment("team-a", "web", `downscaler/exclude: "true"`)}},
		"known, of a bad value":    {Options{}, []any{deployment("team-a", "web", `downscaler/uptime: "x"`)}},
		"another prefix":           {Options{}, []any{deployment("team-a", "web", `example.com/exlude: "true"`)}},
		"the time of deployment":   {Options{}, []any{withArgs("[--deployment-time-annotation=downscaler/deployed]"), deployment("team-a", "web", `downscaler/deployed: "2026-01-01T00:00:00Z"`)}},
		"the same, in a part":      {Options{Query: inventory.Query{Namespace: "team-a"}}, []any{withArgs("[-deployment-time-annotation, downscaler/deployed]"), deployment("team-a", "web", `downscaler/deployed: "2026-01-01T00:00:00Z"`)}},
		"the guard that holds":     {Options{}, []any{hardened(t), deployment("team-a", "web", `downscaler/exclude: "true"`)}},
		"a value a snapshot hides": {Options{}, []any{deployment("team-a", "web", `downscaler/exlude: `+inventory.Redacted)}},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditWith(t, test.options, append(test.manifests, teamA)...), "unknown-annotation")
		})
	}
}
