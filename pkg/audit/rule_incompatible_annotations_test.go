package audit

import (
	"strings"
	"testing"
)

func TestIncompatibleAnnotations(t *testing.T) {
	const annotate = "kubectl annotate deployments.apps/web -n team-a "
	for name, test := range map[string]struct {
		manifests       []any
		severity        Severity
		message, remedy string
	}{
		"two": {
			[]any{teamA, deployment("team-a", "web", `downscaler/uptime: always, downscaler/downtime: never`)}, Medium,
			`The object has downscaler/downtime "never" and downscaler/uptime "always". The downscaler leaves this object alone`,
			"Choose: to keep downscaler/uptime: " + annotate + "downscaler/downtime-; or to keep downscaler/downtime: " + annotate + "downscaler/uptime-",
		},
		"the periods get along": {
			[]any{teamA, deployment("team-a", "web", `downscaler/uptime: always, downscaler/upscale-period: never, downscaler/downscale-period: never`)}, Medium,
			`downscaler/downscale-period "never", downscaler/upscale-period "never" and downscaler/uptime "always"`,
			"to keep downscaler/upscale-period and downscaler/downscale-period: " + annotate + "downscaler/uptime-",
		},
		"on a namespace it stops everything": {
			[]any{annotatedNamespace(`downscaler/uptime: always, downscaler/downtime: never`), deployment("team-a", "web", "")}, High,
			"scales nothing in any namespace", "kubectl annotate namespaces/team-a downscaler/downtime-",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := one(t, auditOf(t, append(test.manifests, chartLike(true))...), "incompatible-annotations", "audit -n team-a -o ")
			if f.Severity != test.severity || !strings.Contains(f.Message, test.message) || !strings.Contains(f.Remedy, test.remedy) {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestIncompatibleAnnotationsSilent(t *testing.T) {
	for name, manifests := range map[string][]any{
		"one":                             {teamA, deployment("team-a", "web", `downscaler/uptime: always`)},
		"the two periods":                 {teamA, deployment("team-a", "web", `downscaler/upscale-period: always, downscaler/downscale-period: never`)},
		"one there, one on its namespace": {annotatedNamespace(`downscaler/downtime: never`), deployment("team-a", "web", `downscaler/uptime: always`)},
		"the guard that holds":            {teamA, deployment("team-a", "web", `downscaler/uptime: always, downscaler/exclude: never`), hardened(t)},
	} {
		t.Run(name, func(t *testing.T) { silent(t, auditOf(t, manifests...), "incompatible-annotations") })
	}
}
