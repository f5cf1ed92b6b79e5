package policy

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

const blockPolicy = `
metadata: {name: block}
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE, UPDATE]}
  matchConditions:
  - {name: not-an-administrator, expression: "!(request.userInfo.username.matches('^admin.*'))"}
  variables:
  - name: new
    expression: "has(object.metadata.annotations) ? object.metadata.annotations : {}"
  - name: old
    expression: "oldObject != null && has(oldObject.metadata.annotations) ? oldObject.metadata.annotations : {}"
  validations:
  - expression: "variables.new.all(k, !k.startsWith('downscaler/') || (k in variables.old && variables.old[k] == variables.new[k]))"
    messageExpression: "request.userInfo.username + ' may not add or edit downscaler annotations'"
    reason: Forbidden
  - expression: "variables.old.all(k, !k.startsWith('downscaler/') || k in variables.new)"
    message: downscaler annotations may not be removed
  auditAnnotations:
  - {key: keys, valueExpression: "string(variables.new.size())"}
`

const blockBinding = `
metadata: {name: block-all}
spec: {policyName: block, validationActions: [Deny]}
`

const stripPolicy = `
metadata: {name: strip}
spec:
  failurePolicy: Fail
  reinvocationPolicy: IfNeeded
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE, UPDATE]}
  matchConditions:
  - {name: not-an-administrator, expression: "!(request.userInfo.username.matches('^admin.*'))"}
  variables:
  - name: new
    expression: "has(object.metadata.annotations) ? object.metadata.annotations : {}"
  - name: old
    expression: "oldObject != null && has(oldObject.metadata.annotations) ? oldObject.metadata.annotations : {}"
  mutations:
  - patchType: JSONPatch
    jsonPatch:
      expression: >
        variables.new.filter(k, k.startsWith('downscaler/') && !(k in variables.old)).map(k,
          JSONPatch{op: "remove", path: "/metadata/annotations/" + jsonpatch.escapeKey(k)})
        + variables.old.filter(k, k.startsWith('downscaler/') && k in variables.new && variables.new[k] != variables.old[k]).map(k,
          JSONPatch{op: "replace", path: "/metadata/annotations/" + jsonpatch.escapeKey(k), value: variables.old[k]})
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: >
        Object{metadata: Object.metadata{annotations:
          variables.old.transformMap(k, v, k.startsWith('downscaler/') && !(k in variables.new), v)}}
`

const stripBinding = `
metadata: {name: strip-all}
spec: {policyName: strip}
`

func guards(t testing.TB) map[string]*inventory.Policies {
	return map[string]*inventory.Policies{
		"validating": {
			Validating:         []*vap{parse[vap](t, blockPolicy)},
			ValidatingBindings: []*vapb{parse[vapb](t, blockBinding)},
		},
		"mutating": {
			Mutating:         []*mutp{parse[mutp](t, stripPolicy)},
			MutatingBindings: []*mutb{parse[mutb](t, stripBinding)},
		},
	}
}

func teamA() *cluster { return &cluster{namespaces: []*corev1.Namespace{namespace("team-a", nil)}} }

// TestGuards holds the five cases that every change must keep, and what a deletion and an
// administrator come to.
func TestGuards(t *testing.T) {
	const key = "downscaler/exclude"
	cases := []struct {
		name     string
		request  Request
		decision map[string]Decision          // by variant, of the policy's only step
		stored   map[string]map[string]string // by variant
	}{
		{
			name:     "create with the annotation",
			request:  request("dev", nil, deployment(key, "true")),
			decision: map[string]Decision{"validating": Denied, "mutating": Mutated},
			stored:   map[string]map[string]string{"mutating": {}},
		},
		{
			name:     "update that leaves it as it was",
			request:  request("dev", deployment(key, "true"), deployment(key, "true", "other", "x")),
			decision: map[string]Decision{"validating": Admitted, "mutating": NoChange},
			stored:   map[string]map[string]string{"mutating": {key: "true"}},
		},
		{
			name:     "update that edits it",
			request:  request("dev", deployment(key, "true"), deployment(key, "false")),
			decision: map[string]Decision{"validating": Denied, "mutating": Mutated},
			stored:   map[string]map[string]string{"mutating": {key: "true"}},
		},
		{
			name:     "update that removes it",
			request:  request("dev", deployment(key, "true"), deployment()),
			decision: map[string]Decision{"validating": Denied, "mutating": Mutated},
			stored:   map[string]map[string]string{"mutating": {key: "true"}},
		},
		{
			name:     "create by someone a pattern lets in",
			request:  request("administrator-not", nil, deployment(key, "true")),
			decision: map[string]Decision{"validating": Skipped, "mutating": Skipped},
			stored:   map[string]map[string]string{"mutating": {key: "true"}},
		},
		{
			name:     "delete",
			request:  request("dev", deployment(key, "true"), nil),
			decision: map[string]Decision{"validating": NotMatched},
			stored:   map[string]map[string]string{"mutating": {}},
		},
	}
	for variant, policies := range guards(t) {
		c := teamA()
		set, whole := compile(t, c, policies), newOracle(t, c, policies)
		for _, test := range cases {
			t.Run(variant+"/"+test.name, func(t *testing.T) {
				got, steps := ours(t, set, test.request)
				compare(t, whole.decide(t, test.request, c), got)
				if want := test.decision[variant]; want != "" && (len(steps) == 0 || steps[0].Decision != want) {
					t.Errorf("steps %+v, want the first to be %s", steps, want)
				}
				if stored, ok := test.stored[variant]; ok {
					if diff := cmp.Diff(stored, got.Annotations); diff != "" {
						t.Errorf("stored (-want +got):\n%s", diff)
					}
				}
			})
		}
	}
}

func TestRequestIsNotModified(t *testing.T) {
	for variant, policies := range guards(t) {
		set := compile(t, teamA(), policies)
		before, after := deployment("downscaler/exclude", "true"), deployment("downscaler/exclude", "false", "downscaler/uptime", "always")
		wantBefore, wantAfter := before.DeepCopy(), after.DeepCopy()
		ours(t, set, request("dev", before, after))
		if diff := cmp.Diff([]runtime.Object{wantBefore, wantAfter}, []runtime.Object{before, after}); diff != "" {
			t.Errorf("%s: the request's objects were modified:\n%s", variant, diff)
		}
	}
}

func TestParameters(t *testing.T) {
	const policy = `
metadata: {name: limits}
spec:
  failurePolicy: Fail
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE, UPDATE]}
  validations:
  - expression: "params == null || !('forbidden' in params.data) || !(params.data.forbidden in object.metadata.annotations)"
    messageExpression: "params.metadata.name + ' forbids ' + params.data.forbidden + ' of ' + params.kind"
`
	bindings := map[string]string{
		"by name":        `{policyName: limits, validationActions: [Deny], paramRef: {name: one, namespace: team-a, parameterNotFoundAction: Deny}}`,
		"by selector":    `{policyName: limits, validationActions: [Deny, Audit], paramRef: {selector: {matchLabels: {limit: "yes"}}, parameterNotFoundAction: Deny}}`,
		"gone, allowed":  `{policyName: limits, validationActions: [Deny], paramRef: {name: gone, parameterNotFoundAction: Allow}}`,
		"gone, denied":   `{policyName: limits, validationActions: [Deny], paramRef: {name: gone, parameterNotFoundAction: Deny}}`,
		"none asked for": `{policyName: limits, validationActions: [Warn]}`,
	}
	wanted := map[string][]Decision{
		"by name": {Denied}, "by selector": {Denied, Denied}, "gone, allowed": {Skipped}, "gone, denied": {Error}, "none asked for": {Admitted},
	}
	for name, spec := range bindings {
		t.Run(name, func(t *testing.T) {
			policies := &inventory.Policies{
				Validating:         []*vap{parse[vap](t, policy)},
				ValidatingBindings: []*vapb{parse[vapb](t, "metadata: {name: binding}\nspec: "+spec)},
			}
			c := teamA()
			c.params = []runtime.Object{limit("one", "downscaler/exclude"), limit("two", "downscaler/exclude")}
			set, whole := compile(t, c, policies), newOracle(t, c, policies)
			r := request("dev", nil, deployment("downscaler/exclude", "true"))
			got, steps := ours(t, set, r)
			want := whole.decide(t, r, c)
			if name == "by selector" { // two parameters deny, and either may be first
				if possible := messages(set.Validate(t.Context(), r)); len(possible) != 2 || !slices.Contains(possible, want.Message) {
					t.Errorf("possible answers %q, the plugin's %q", possible, want.Message)
				}
				want.Message = got.Message
				want.Audit, got.Audit = nil, nil
			}
			compare(t, want, got)
			var decisions []Decision
			for _, s := range steps {
				decisions = append(decisions, s.Decision)
			}
			if diff := cmp.Diff(wanted[name], decisions); diff != "" {
				t.Errorf("decisions (-want +got):\n%s", diff)
			}
		})
	}
}

func limit(name, forbidden string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "team-a", Name: name, Labels: map[string]string{"limit": "yes"}},
		Data:       map[string]string{"forbidden": forbidden},
	}
}

func messages(verdict Verdict) []string {
	var all []string
	for _, s := range verdict.Statuses {
		all = append(all, s.Message)
	}
	return all
}
