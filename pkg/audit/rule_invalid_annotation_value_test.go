package audit

import (
	"strings"
	"testing"
)

// annotatedNamespace is the namespace team-a with annotations in YAML's flow form.
func annotatedNamespace(annotations string) string {
	return strings.Replace(teamA, "{name: team-a, ", "{name: team-a, annotations: {"+annotations+"}, ", 1)
}

func TestInvalidAnnotationValue(t *testing.T) {
	const onWeb, onTeamA = "kubectl annotate deployments.apps/web -n team-a ", "kubectl annotate namespaces/team-a "
	for name, test := range map[string]struct {
		manifests       []any
		severity        Severity
		message, remedy string
	}{
		"a timespan": {
			[]any{teamA, deployment("team-a", "web", `downscaler/uptime: Mon-Fri 8-18 Europe/Lisbon`)}, Medium,
			`is "Mon-Fri 8-18 Europe/Lisbon". It goes wrong at byte 9: `, onWeb + "--overwrite 'downscaler/uptime=Mon-Fri 08:00-18:00 Europe/Lisbon'",
		},
		"exclude is no boolean": {
			[]any{teamA, deployment("team-a", "web", `downscaler/exclude: "t"`)}, Medium,
			"leaves this object alone", onWeb + "--overwrite downscaler/exclude=true",
		},
		"nothing is near": {
			[]any{teamA, deployment("team-a", "web", `downscaler/uptime: "perhaps"`)}, Medium,
			"at byte 0", `such as "Mon-Fri 08:00-20:00 Europe/Berlin", or remove the annotation: ` + onWeb + "downscaler/uptime-",
		},
		"a number that the kind can't take": {
			[]any{teamA, deployment("team-a", "web", `downscaler/downscale-replicas: "50%"`)}, Medium,
			"fails whenever it has to scale", "remove the annotation: " + onWeb + "downscaler/downscale-replicas-",
		},
		"an event is all that comes of it": {
			[]any{teamA, deployment("team-a", "web", `downscaler/upscale-excluded: "yes"`)}, Low,
			"goes on as if the annotation were not there", onWeb + "--overwrite downscaler/upscale-excluded=true",
		},
		"on a namespace it stops everything": {
			[]any{annotatedNamespace(`downscaler/grace-period: 15 minutes`), deployment("team-a", "web", "")}, High,
			"scales nothing in any namespace", onTeamA + "--overwrite downscaler/grace-period=15m",
		},
		"but for an event": {
			[]any{annotatedNamespace(`downscaler/upscale-excluded: "yes"`), deployment("team-a", "web", "")}, Low,
			"writes an event", onTeamA + "--overwrite downscaler/upscale-excluded=true",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := one(t, auditOf(t, append(test.manifests, chartLike(false))...), "invalid-annotation-value", "audit -n team-a -o ")
			if f.Severity != test.severity || !strings.Contains(f.Message, test.message) || !strings.Contains(f.Remedy, test.remedy) {
				t.Errorf("%+v", f)
			}
		})
	}
}

// A value may be as long as all annotations of an object together.
func TestInvalidAnnotationValueIsCut(t *testing.T) {
	f := one(t, auditOf(t, teamA, deployment("team-a", "web", "downscaler/uptime: "+strings.Repeat("é", 10_000))), "invalid-annotation-value")
	if len(f.Message) > 1000 || !strings.Contains(f.Message, `é…"`) {
		t.Errorf("%d bytes: %s", len(f.Message), f.Message)
	}
}

func TestInvalidAnnotationValueSilent(t *testing.T) {
	for name, manifests := range map[string][]any{
		"a list of timespans":          {teamA, deployment("team-a", "web", `downscaler/exclude: "Mon-Fri 08:00-20:00 UTC, never"`)},
		"nobody reads the key":         {teamA, deployment("team-a", "web", `downscaler/exlude: "t"`)},
		"not read from a namespace":    {annotatedNamespace(`downscaler/original-replicas: few words`), deployment("team-a", "web", "")},
		"another prefix":               {teamA, deployment("team-a", "web", `example.com/uptime: "x"`)},
		"two that can't stand another": {teamA, deployment("team-a", "web", `downscaler/uptime: always, downscaler/downtime: never`)},
		"the guard that holds":         {teamA, deployment("team-a", "web", `downscaler/uptime: always`), hardened(t)},
	} {
		t.Run(name, func(t *testing.T) { silent(t, auditOf(t, manifests...), "invalid-annotation-value") })
	}
}
