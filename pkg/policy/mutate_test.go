package policy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

const mutationPolicy = `
metadata: {name: NAME}
spec:
  failurePolicy: Fail
  reinvocationPolicy: REINVOCATION
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE, UPDATE]}
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: "EXPRESSION"}
`

func mutationText(name, reinvocation, expression string) string {
	return strings.NewReplacer("NAME", name, "REINVOCATION", reinvocation, "EXPRESSION", expression).Replace(mutationPolicy)
}

func mutationBinding(policy string) string {
	return "metadata: {name: " + policy + "}\nspec: {policyName: " + policy + "}"
}

// TestReinvocation: a policy that waits for what a later one does, reinvoked and not. The waiting is done in the mutation,
// since a policy whose matchConditions were false is not reinvoked.
func TestReinvocation(t *testing.T) {
	const waiting = "has(object.metadata.labels) && 'stage' in object.metadata.labels && !has(object.metadata.annotations)"
	const annotates = "Object{metadata: Object.metadata{annotations: {'downscaler/exclude': 'true'}}}"
	const labels = "Object{metadata: Object.metadata{labels: {'stage': 'test'}}}"
	for reinvocation, want := range map[string]map[string]string{
		"IfNeeded": {"downscaler/exclude": "true"},
		"Never":    {},
	} {
		t.Run(reinvocation, func(t *testing.T) {
			policies := &inventory.Policies{
				Mutating: []*mutp{
					parse[mutp](t, mutationText("a-waits", reinvocation, "("+waiting+") ? "+annotates+" : Object{}")),
					parse[mutp](t, mutationText("b-labels", "Never", labels)),
				},
				MutatingBindings: []*mutb{parse[mutb](t, mutationBinding("a-waits")), parse[mutb](t, mutationBinding("b-labels"))},
			}
			c := teamA()
			r := request("dev", nil, deployment())
			object, verdict := compile(t, c, policies).Mutate(t.Context(), r)
			if diff := cmp.Diff(want, Annotations(object)); diff != "" {
				t.Errorf("annotations (-want +got):\n%s\nsteps %+v", diff, verdict.Steps)
			}
			if reinvocation == "IfNeeded" { // in any order, and the plugin has no fixed one
				got, _ := ours(t, compile(t, c, policies), r)
				compare(t, newOracle(t, c, policies).decide(t, r, c), got)
			}
		})
	}
}

// TestParameterOfAMutation: the API server shows mutations a built-in parameter without its kind.
func TestParameterOfAMutation(t *testing.T) {
	policies := &inventory.Policies{
		Mutating:         []*mutp{parse[mutp](t, mutationText("p", "Never", "Object{metadata: Object.metadata{annotations: {'downscaler/exclude': has(params.kind) ? params.kind : 'none'}}}"))},
		MutatingBindings: []*mutb{parse[mutb](t, "metadata: {name: b}\nspec: {policyName: p, paramRef: {name: one, parameterNotFoundAction: Deny}}")},
	}
	policies.Mutating[0].Spec.ParamKind = parse[vap](t, "spec: {matchConstraints: {}, paramKind: {apiVersion: v1, kind: ConfigMap}}").Spec.ParamKind
	c := teamA()
	c.params = []runtime.Object{limit("one", "x")}
	r := request("dev", nil, deployment())
	got, _ := ours(t, compile(t, c, policies), r)
	compare(t, newOracle(t, c, policies).decide(t, r, c), got)
}

// TestOrderOfParameters: a selector that finds two of them.
func TestOrderOfParameters(t *testing.T) {
	for expression, uncertain := range map[string]bool{
		"{'downscaler/x': params.metadata.name}":           true,
		"{'downscaler/' + params.metadata.name: 'x'}":      false,
		"{'downscaler/x': params.data.forbidden + 'same'}": false,
	} {
		policies := &inventory.Policies{
			Mutating:         []*mutp{parse[mutp](t, mutationText("p", "Never", "Object{metadata: Object.metadata{annotations: "+expression+"}}"))},
			MutatingBindings: []*mutb{parse[mutb](t, "metadata: {name: b}\nspec: {policyName: p, paramRef: {selector: {}, parameterNotFoundAction: Deny}}")},
		}
		policies.Mutating[0].Spec.ParamKind = parse[vap](t, "spec: {matchConstraints: {}, paramKind: {apiVersion: v1, kind: ConfigMap}}").Spec.ParamKind
		c := teamA()
		c.params = []runtime.Object{limit("one", "x"), limit("two", "x")}
		_, verdict := compile(t, c, policies).Mutate(t.Context(), request("dev", nil, deployment()))
		if verdict.Uncertain != uncertain || len(verdict.Steps) != 2 || verdict.Steps[0].Param != "team-a/one" {
			t.Errorf("%s: uncertain %t, want %t; steps %+v", expression, verdict.Uncertain, uncertain, verdict.Steps)
		}
	}
}

// TestFailedMutations: which failure the API server tells first is a matter of its order.
func TestFailedMutations(t *testing.T) {
	failing := func(name, failurePolicy string) *mutp {
		p := parse[mutp](t, mutationText(name, "Never", "Object{metadata: Object.metadata{annotations: {'a': object.spec."+name+"}}}"))
		*p.Spec.FailurePolicy = *parse[vap](t, "spec: {failurePolicy: "+failurePolicy+"}").Spec.FailurePolicy
		return p
	}
	policies := &inventory.Policies{
		Mutating:         []*mutp{failing("one", "Fail"), failing("two", "Fail"), failing("three", "Ignore")},
		MutatingBindings: []*mutb{parse[mutb](t, mutationBinding("one")), parse[mutb](t, mutationBinding("two")), parse[mutb](t, mutationBinding("three"))},
	}
	c := teamA()
	r := request("dev", nil, deployment())
	_, verdict := compile(t, c, policies).Mutate(t.Context(), r)
	var decisions []Decision
	for _, s := range verdict.Steps {
		decisions = append(decisions, s.Decision)
	}
	if diff := cmp.Diff([]Decision{Error, ErrorIgnored, Error}, decisions); diff != "" {
		t.Errorf("decisions (-want +got):\n%s", diff)
	}
	possible := messages(verdict)
	told := newOracle(t, c, policies).decide(t, r, c).Message
	if len(possible) != 2 || possible[0] != told && possible[1] != told {
		t.Errorf("possible answers %q, the plugin's %q", possible, told)
	}
}

// TestOrder: the API server runs mutating policies in no fixed order.
func TestOrder(t *testing.T) {
	set := func(name, value string) *mutp {
		return parse[mutp](t, mutationText(name, "Never", "Object{metadata: Object.metadata{annotations: {'downscaler/"+value+"'}}}"))
	}
	cases := map[string]struct {
		one, two  *mutp
		uncertain bool
	}{
		"other keys":            {set("one", "a': '1"), set("two", "b': '1"), false},
		"one key and one value": {set("one", "a': '1"), set("two", "a': '1"), false},
		"one key, two values":   {set("one", "a': '1"), set("two", "a': '2"), true},
		"one waits for the other": {
			parse[mutp](t, mutationText("one", "Never", "Object{metadata: Object.metadata{annotations: {'downscaler/b': 'x'}}}")),
			parse[mutp](t, mutationText("two", "Never", "'downscaler/b' in object.metadata.?annotations.orValue({}) ? Object{metadata: Object.metadata{annotations: {'downscaler/c': 'x'}}} : Object{}")),
			true,
		},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			policies := &inventory.Policies{
				Mutating:         []*mutp{test.one, test.two},
				MutatingBindings: []*mutb{parse[mutb](t, mutationBinding("one")), parse[mutb](t, mutationBinding("two"))},
			}
			_, verdict := compile(t, teamA(), policies).Mutate(t.Context(), request("dev", nil, deployment()))
			if verdict.Uncertain != test.uncertain || (len(verdict.NotKnown) > 0) != test.uncertain {
				t.Errorf("uncertain %t, not known %v, want %t", verdict.Uncertain, verdict.NotKnown, test.uncertain)
			}
		})
	}
}

// TestPatchOfRedactedValues: what a patch tests, copies or moves is not known if a snapshot took it out.
func TestPatchOfRedactedValues(t *testing.T) {
	const value = "/spec/template/spec/containers/0/env/0/value"
	cases := map[string]struct {
		patch string
		want  Decision
	}{
		"copy":             {`[JSONPatch{op: "copy", from: "` + value + `", path: "/metadata/annotations/downscaler~1x"}]`, NotSimulated},
		"copy of a parent": {`[JSONPatch{op: "copy", from: "/spec/template/spec/containers/0", path: "/spec/template/spec/containers/-"}]`, NotSimulated},
		"test":             {`[JSONPatch{op: "test", path: "` + value + `", value: "secret"}]`, NotSimulated},
		"test elsewhere":   {`[JSONPatch{op: "test", path: "/metadata/name", value: "web"}, JSONPatch{op: "replace", path: "/metadata/annotations/downscaler~1exclude", value: "x"}]`, Mutated},
		"read":             {`object.spec.template.spec.containers[0].env[0].value == "x" ? [] : [JSONPatch{op: "test", path: "/metadata/name", value: "web"}]`, NotSimulated},
		"replaced":         {`[JSONPatch{op: "replace", path: "` + value + `", value: "secret"}]`, Mutated},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			p := parse[mutp](t, mutationText("p", "Never", "Object{}"))
			p.Spec.Mutations = []admissionregistrationv1.Mutation{{
				PatchType: admissionregistrationv1.PatchTypeJSONPatch,
				JSONPatch: &admissionregistrationv1.JSONPatch{Expression: test.patch},
			}}
			policies := &inventory.Policies{Mutating: []*mutp{p}, MutatingBindings: []*mutb{parse[mutb](t, mutationBinding("p"))}}
			r := request("dev", nil, withEnv(deployment("downscaler/exclude", "true"), inventory.Redacted))
			r.Unknown.Redacted = true
			_, verdict := compile(t, teamA(), policies).Mutate(t.Context(), r)
			if got := verdict.Steps[0]; got.Decision != test.want || verdict.Uncertain != (test.want == NotSimulated) {
				t.Errorf("decision %s (%s), uncertain %t, want %s", got.Decision, got.Message, verdict.Uncertain, test.want)
			}
		})
	}
}
