package audit

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
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
	objects := []any{teamA, deployment("team-a", "web", ""), nightly, scaledObject}
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

// A rule that lists the kind in another scope or version, or only to leave it out again, says so.
func TestKindListedInVain(t *testing.T) {
	objects := []any{teamA, deployment("team-a", "web", "")}
	const deployments = "deployments, deployments/status]"
	for name, test := range map[string]struct {
		guard        comparing
		says, remedy string
	}{
		"scope":    {comparing{rules: strings.Replace(bothRules, deployments, deployments+", scope: Cluster", 1)}, "lists deployments.apps with scope Cluster, in which there is none", "Namespaced"},
		"version":  {comparing{rules: strings.Replace(bothRules, `["*"]`, "[v1beta1]", 1), more: "matchPolicy: Exact"}, "lists deployments.apps in v1beta1 only, and with matchPolicy Exact not in v1", "matchPolicy"},
		"left out": {comparing{more: `excludeResourceRules: [{apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["deployments"]}]`}, "spec.matchConstraints.excludeResourceRules[0] leaves them out", "Take"},
		"binding":  {comparing{binding: `resourceRules: [{apiGroups: [""], apiVersions: ["*"], operations: ["*"], resources: [namespaces]}]`}, "no rule of spec.matchResources.resourceRules lists deployments.apps", "spec.matchResources"},
	} {
		t.Run(name, func(t *testing.T) {
			report := auditOf(t, append(objects, test.guard)...)
			f := one(t, report, "kind-not-covered", "deployments.apps/web -n team-a --set downscaler/exclude=true")
			if !strings.Contains(f.Message, "lists deployments.apps and does not see it: ") || !strings.Contains(f.Message, test.says) || !strings.Contains(f.Remedy, test.remedy) {
				t.Errorf("%+v", f)
			}
			silent(t, report, "change-not-covered")
		})
	}
	t.Run("namespaces", func(t *testing.T) {
		f := one(t, auditOf(t, append(objects, comparing{rules: strings.Replace(bothRules, "namespaces/finalize]", "namespaces/finalize], scope: Namespaced", 1)})...), "namespace-annotations-not-covered")
		if !strings.Contains(f.Message, "lists namespaces with scope Namespaced") || !strings.Contains(f.Remedy, "Cluster") {
			t.Errorf("%+v", f)
		}
	})
}

// How grave it is does not depend on which part is audited: the downscaler is looked for everywhere.
func TestKindNotCoveredInAPart(t *testing.T) {
	inTeamA := Options{Query: inventory.Query{Namespace: "team-a"}}
	objects := []any{over("apps/deployments", "/namespaces"), withArgs("[--include-resources=cronjobs]"), teamA, deployment("team-a", "web", ""), nightly, scaledObject}
	for name, options := range map[string]Options{"everything": {}, "one namespace": inTeamA} {
		report := auditWith(t, options, objects...)
		if f := one(t, report, "kind-not-covered"); f.Severity != High || f.Subject.Kind != "CronJob" {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// Where the other namespaces' Deployments may not be read, what was read has to do.
func TestKindNotCoveredByATenant(t *testing.T) {
	forbidden := apierrors.NewForbidden(schema.GroupResource{Group: "apps", Resource: "deployments"}, "", errors.New("not you"))
	inv := tenant{load(t, over("apps/deployments", "/namespaces"), withArgs("[--include-resources=cronjobs]"), teamA, deployment("team-a", "web", ""), nightly), forbidden}
	report, err := Run(context.Background(), simulatorOf(t, inv), Options{Query: inventory.Query{Namespace: "team-a"}})
	if err != nil {
		t.Fatal(err)
	}
	if f := one(t, report, "kind-not-covered"); f.Severity != Medium || len(besidesRBAC(report.Incomplete)) > 0 {
		t.Errorf("%+v, incomplete %v", f, report.Incomplete)
	}
}

// tenant is an inventory that lists nothing but what lies in one namespace.
type tenant struct {
	inventory.Inventory
	err error
}

func (i tenant) Objects(ctx context.Context, query inventory.Query) iter.Seq2[inventory.Object, error] {
	if query.Namespace != "" {
		return i.Inventory.Objects(ctx, query)
	}
	return func(yield func(inventory.Object, error) bool) {
		yield(inventory.Object{}, &inventory.ListError{Kind: query.Kinds[0], Err: i.err})
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
