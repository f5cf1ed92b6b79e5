package guard

import (
	"fmt"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// leaky are values whose plain guard has ways round it.
var leaky = map[string]string{
	"kinds": `
includedResources: [deployments, statefulsets, daemonsets, jobs, cronjobs, horizontalpodautoscalers, poddisruptionbudgets, services, ingresses]
webhookController: {enabled: true}
annotationsCompliance:
  mutateUnauthorizedAnnotationsAddition: MUTATE
  authorizedUsersRegex: ["^user1$"]
  onWorkloads: {enabled: true, preventRemoval: true}
  onNamespace: {enabled: true, preventRemoval: true}
`,
	"patterns": `
annotationsCompliance:
  mutateUnauthorizedAnnotationsAddition: MUTATE
  authorizedUsersRegex: [user1, "^ops.adm$"]
  authorizedGroupsRegex: [devs]
  authorizedNamespacesToServiceAccountsRegex: {team-a: [sa1], "tea|b": [sa1]}
  onWorkloads: {enabled: true, preventRemoval: true}
`,
	"quotes": `
annotationsCompliance:
  mutateUnauthorizedAnnotationsAddition: MUTATE
  authorizedUsersRegex: ['x") && !("x" == "x']
  onWorkloads: {enabled: true, preventRemoval: true}
`,
	"removal": `
annotationsCompliance:
  mutateUnauthorizedAnnotationsAddition: MUTATE
  onWorkloads: {enabled: true}
`,
	"enabled": `
annotationsCompliance:
  mutateUnauthorizedAnnotationsAddition: MUTATE
  onWorkloads: {enabled: true}
  onNamespace: {preventRemoval: true}
`,
}

// way is a way round a plain guard: a request by someone who is not meant.
type way struct {
	values string
	who    request.Requester
	of     builtin
	sub    string
	change request.Change
}

// waysRound are all of them that are one request.
func waysRound() []way {
	dev, deployment, namespace := user("dev"), builtins[0], builtin{"", "namespaces", ""}
	exclude := set("downscaler/exclude", "false")
	ways := []way{
		{"kinds", dev, namespace, "finalize", set("downscaler/downtime", "never")},
		{"kinds", dev, namespace, "finalize", remove("downscaler/uptime")},
		{"kinds", dev, builtin{"apps", "replicasets", "annotated"}, "", set("downscaler/downtime", "never")},
		{"kinds", dev, builtin{"apps", "replicasets", "annotated"}, "status", remove("downscaler/uptime")},
		{"patterns", user("user1x"), deployment, "", exclude},
		{"patterns", user("xuser1y"), deployment, "", remove("downscaler/exclude")},
		{"patterns", user("ops.admx", "devs-guests"), deployment, "", exclude},
		{"patterns", user("dev", "non-devs-guests"), deployment, "", exclude},
		{"patterns", account("team-a", "sa1.evil"), deployment, "", exclude},
		{"patterns", account("team", "default"), deployment, "", exclude},
		{"patterns", account("bb:sa1", "x"), deployment, "", exclude},
		{"quotes", dev, deployment, "", exclude},
		{"quotes", dev, deployment, "", remove("downscaler/exclude")},
		{"removal", dev, deployment, "", remove("downscaler/exclude")},
		{"removal", dev, namespace, "", exclude},
		{"removal", dev, namespace, "", set("downscaler/downtime", "always")},
		{"enabled", dev, namespace, "", remove("downscaler/exclude")},
	}
	for _, of := range append([]builtin{namespace}, builtins...) {
		for _, change := range []request.Change{set("downscaler/downtime", "never"), exclude, remove("downscaler/uptime")} {
			ways = append(ways, way{"kinds", dev, of, "status", change})
		}
	}
	return ways
}

// TestGuardHolds: each way round the plain guard leads round it, and is stopped by the hardened one, as the library says of both.
func TestGuardHolds(t *testing.T) {
	var guards []rendered
	for name, values := range leaky {
		for _, mode := range []string{"validating", "mutating"} {
			for _, form := range []string{"plain", "hardened"} {
				guards = append(guards, render(t, name+"-"+mode+"-"+form, inMode(values, mode), form == "hardened"))
			}
		}
	}
	forced := force(t, builtinObjects, guards...)
	for _, mode := range []string{"validating", "mutating"} {
		for _, form := range []string{"plain", "hardened"} {
			t.Run(mode+" "+form, func(t *testing.T) {
				questions := map[string][]posed{}
				for _, w := range waysRound() {
					f := forced[w.values+"-"+mode+"-"+form]
					questions[w.values] = append(questions[w.values], w.ask(t, f, wantOf(mode, form)))
				}
				for values, all := range questions {
					forced[values+"-"+mode+"-"+form].ask(t, all)
				}
			})
		}
	}
}

func inMode(values, mode string) string {
	return strings.ReplaceAll(values, "MUTATE", fmt.Sprint(mode == "mutating"))
}

func wantOf(mode, form string) []simulate.Outcome {
	switch {
	case form == "plain":
		return allowed
	case mode == "mutating":
		return []simulate.Outcome{simulate.Altered}
	}
	return []simulate.Outcome{simulate.Blocked}
}

func (w way) ask(t *testing.T, f inForce, want []simulate.Outcome) posed {
	t.Helper()
	name := w.of.name
	if w.of.resource == "namespaces" {
		name = f.namespace
	}
	question := f.annotating(t, w.who, f.get(t, w.of.group, w.of.resource, name), w.change, request.Options{Subresource: w.sub})
	return posed{fmt.Sprintf("%s of %s/%s %+v", w.values, w.of.resource, w.sub, w.change), w.who, question, want}
}
