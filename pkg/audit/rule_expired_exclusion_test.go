package audit

import (
	"strings"
	"testing"
	"time"
)

var may = time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)

func TestExpiredExclusion(t *testing.T) {
	const april = `downscaler/exclude-until: "2026-04-30T23:59:59Z"`
	for name, test := range map[string]struct {
		manifests       []any
		message, remedy string
	}{
		"on a workload":  {[]any{teamA, deployment("team-a", "web", april)}, "scaling the object", "kubectl annotate deployments.apps/web -n team-a downscaler/exclude-until-"},
		"on a namespace": {[]any{annotatedNamespace(april), deployment("team-a", "web", "")}, "scaling the workloads of the namespace", "kubectl annotate namespaces/team-a downscaler/exclude-until-"},
	} {
		t.Run(name, func(t *testing.T) {
			f := one(t, auditWith(t, Options{Now: may}, test.manifests...), "expired-exclusion", "audit -n team-a -o ")
			if f.Severity != Info || !strings.Contains(f.Message, `"2026-04-30T23:59:59Z"`) || !strings.Contains(f.Message, test.message) || !strings.Contains(f.Remedy, test.remedy) {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestExpiredExclusionSilent(t *testing.T) {
	for name, test := range map[string]struct {
		now         time.Time
		annotations string
	}{
		"to come":            {may, `downscaler/exclude-until: "2026-05-01T00:00:01Z"`},
		"this very moment":   {may, `downscaler/exclude-until: "2026-05-01T00:00:00Z"`},
		"in another zone":    {may, `downscaler/exclude-until: "2026-04-30T22:00:01-02:00"`},
		"unreadable":         {may, `downscaler/exclude-until: "2026-04-30"`},
		"another annotation": {may, `downscaler/exclude: "until 2026-04-30T00:00:00Z"`},
		"nobody knows when":  {time.Time{}, `downscaler/exclude-until: "2026-04-30T00:00:00Z"`},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditWith(t, Options{Now: test.now}, hardened(t), teamA, deployment("team-a", "web", test.annotations)), "expired-exclusion")
		})
	}
}
