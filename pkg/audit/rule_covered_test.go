package audit

import (
	"slices"
	"strings"
	"testing"
)

// over is a chart-like blocking guard over some resources.
func over(resources ...string) []guard {
	guards := chartLike(false)
	for i := range guards {
		guards[i].resources = resources
	}
	return guards
}

const downscalerArgs = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: downscaler, namespace: downscaler, ` + stored + `}
spec:
  selector: {matchLabels: {app: x}}
  template: {metadata: {labels: {app: x}}, spec: {containers: [{name: c, image: "registry.example:5000/org/gokubedownscaler:1.2@sha256:00", args: ARGS}]}}
`

func withArgs(args string) string { return strings.ReplaceAll(downscalerArgs, "ARGS", args) }

func TestKindNotCovered(t *testing.T) {
	objects := []any{teamA, deployment("team-a", "web", ""), nightly, scaledObject("team-a", "web")}
	for name, test := range map[string]struct {
		options   Options
		manifests []any
		want      []string
	}{
		"those with objects":         {Options{}, []any{over("apps/deployments", "/namespaces")}, []string{"CronJob medium", "ScaledObject medium"}},
		"deployments weigh more":     {Options{}, []any{over("batch/cronjobs", "keda.sh/scaledobjects")}, []string{"Deployment high"}},
		"the options name them":      {Options{Scaled: []string{"deployments", "CronJobs"}}, []any{over("apps/deployments")}, []string{"CronJob high"}},
		"the arguments name them":    {Options{}, []any{over("apps/deployments"), withArgs(`["--include-resources=deployments,cronjobs"]`)}, []string{"CronJob high"}},
		"in two arguments":           {Options{}, []any{over("apps/deployments"), withArgs(`[-include-resources, cronjobs]`)}, []string{"CronJob high"}},
		"the default is deployments": {Options{}, []any{over("batch/cronjobs"), withArgs(`[]`)}, []string{"Deployment high"}},
		"a selector leaves some out": {Options{}, []any{guard{name: "g", resources: []string{"apps/deployments"}, selector: "matchLabels: {team: b}"}, guard{name: "h", resources: []string{"keda.sh/scaledobjects"}}}, []string{"CronJob medium"}},
	} {
		t.Run(name, func(t *testing.T) {
			report := auditWith(t, test.options, append(test.manifests, objects...)...)
			var got []string
			for _, f := range found(report, "kind-not-covered") {
				got = append(got, f.Subject.Kind+" "+string(f.Severity))
				if !strings.Contains(f.Evidence, "--set downscaler/exclude=true") || !strings.Contains(f.Evidence, " -n ") {
					t.Errorf("evidence %s", f.Evidence)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestKindNotCoveredSilent(t *testing.T) {
	objects := []any{teamA, deployment("team-a", "web", ""), nightly}
	for name, manifests := range map[string][]any{
		"all covered":            {chartLike(false)},
		"all covered, mutating":  {chartLike(true)},
		"covered, warning":       {guard{name: "g", resources: everyResource, actions: "[Warn]"}, over("apps/deployments")},
		"covered, but exempt":    {guard{name: "g", resources: everyResource, exempt: ".*"}},
		"covered for creation":   {over("apps/deployments"), strings.ReplaceAll(guard{name: "c", resources: everyResource}.String(), "CREATE, UPDATE", "CREATE")},
		"no guard":               {requireLabels, bindingOf("require-labels", "[Deny]")},
		"a guard without effect": {guard{name: "g", resources: []string{"apps/deployments"}, unbound: true}},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, objects...)...), "kind-not-covered")
		})
	}
}

func TestNamespaceAnnotationsNotCovered(t *testing.T) {
	f := one(t, auditOf(t, over("apps/deployments"), teamA, deployment("team-a", "web", "")), "namespace-annotations-not-covered",
		"namespaces/team-a --set downscaler/exclude=true")
	if f.Severity != High || f.Subject.Kind != "Namespace" {
		t.Errorf("%+v", f)
	}
}

// hours sets an annotation on some new namespaces.
const hours = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: hours}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [namespaces]}]
    objectSelector: {matchLabels: {stage: development}}
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: 'Object{metadata: Object.metadata{annotations: {"downscaler/uptime": "always"}}}'}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: hours}
spec: {policyName: hours}
`

// A policy that sets annotations on namespaces does not guard them.
func TestNamespaceAnnotationsNotCoveredBesideASetter(t *testing.T) {
	web := deployment("team-a", "web", "")
	f := one(t, auditOf(t, over("apps/deployments"), hours, teamA, web), "namespace-annotations-not-covered")
	if strings.Contains(f.Message, "hours") {
		t.Error(f.Message)
	}
	unbound, _, _ := strings.Cut(hours, "---")
	silent(t, auditOf(t, over("apps/deployments"), unbound, teamA, web), "policy-without-binding")
}

func TestNamespaceAnnotationsNotCoveredSilent(t *testing.T) {
	web := deployment("team-a", "web", "")
	for name, manifests := range map[string][]any{
		"covered":                    {over("/namespaces", "apps/deployments"), teamA},
		"covered, mutating":          {chartLike(true), teamA},
		"a selector leaves some out": {guard{name: "g", resources: []string{"/namespaces"}, selector: "matchLabels: {team: b}"}, over("apps/deployments"), teamA},
		"no namespace was read":      {over("apps/deployments")},
		"no guard":                   {teamA},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, web)...), "namespace-annotations-not-covered")
		})
	}
}

func TestRemovalNotPrevented(t *testing.T) {
	for _, mutating := range []bool{false, true} {
		additions := chartLike(mutating)[0]
		report := auditOf(t, additions, teamA, deployment("team-a", "web", ""), deployment("team-a", "held", "downscaler/uptime: always"), nightly)
		f := one(t, report, "removal-not-prevented", "deployments.apps/held -n team-a --remove downscaler/uptime")
		if f.Subject.Name != additions.name || !strings.Contains(f.Message, "cronjobs.batch (1), deployments.apps (2) and namespaces (1)") {
			t.Errorf("%+v", f)
		}
		report = auditOf(t, additions, teamA, deployment("team-a", "web", ""))
		one(t, report, "removal-not-prevented", "audit -n team-a") // nothing carries an annotation
	}
}

func TestRemovalNotPreventedSilent(t *testing.T) {
	for name, manifests := range map[string][]any{
		"prevented":        {chartLike(false)},
		"restored":         {chartLike(true)},
		"no guard":         {},
		"edits not either": {guard{name: "g", resources: everyResource, actions: "[Warn]"}},
		"warned of":        {chartLike(false)[0], guard{name: "g", resources: everyResource, removals: true, actions: "[Warn]"}},
		"removals only":    {chartLike(false)[1]},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, teamA, deployment("team-a", "web", ""))...), "removal-not-prevented")
		})
	}
}
