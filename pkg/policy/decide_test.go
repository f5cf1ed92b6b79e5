package policy

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

const decisionPolicy = `
metadata: {name: POLICY}
spec:
  failurePolicy: FAILURE
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE, UPDATE]}
  matchConditions: [{name: condition, expression: "CONDITION"}]
  validations: [{expression: "VALIDATION", message: refused by POLICY}]
`

func policyText(name, failurePolicy, condition, validation string) string {
	return strings.NewReplacer("POLICY", name, "FAILURE", failurePolicy, "CONDITION", condition, "VALIDATION", validation).Replace(decisionPolicy)
}

func bindingText(policy, name, actions string) string {
	return "metadata: {name: " + name + "}\nspec: {policyName: " + policy + ", validationActions: [" + actions + "]}"
}

// TestDecisions compares each way a policy can end with the whole plugins.
func TestDecisions(t *testing.T) {
	cases := []struct {
		name                               string
		failurePolicy, condition, validate string
		actions                            string
		want                               Decision
		because                            string
	}{
		{"admitted", "Fail", "true", "true", "Deny", Admitted, ""},
		{"denied", "Fail", "true", "false", "Deny", Denied, "validations[0]"},
		{"warned", "Fail", "true", "false", "Warn", Warned, "validations[0]"},
		{"audited", "Fail", "true", "false", "Audit", Audited, "validations[0]"},
		{"denied and audited", "Fail", "true", "false", "Deny, Audit", Denied, "validations[0]"},
		{"warned and audited", "Fail", "true", "false", "Warn, Audit", Warned, "validations[0]"},
		{"skipped", "Fail", "false", "false", "Deny", Skipped, "matchConditions[0]"},
		{"error fails", "Fail", "true", "object.spec.nothing == 1", "Deny", Error, "validations[0]"},
		{"error is ignored", "Ignore", "true", "object.spec.nothing == 1", "Deny", ErrorIgnored, "validations[0]"},
		{"error only warns", "Fail", "true", "object.spec.nothing == 1", "Warn", Warned, "validations[0]"},
		{"condition fails", "Fail", "object.spec.nothing == 1", "false", "Deny", Error, "matchConditions"},
		{"condition's error is ignored", "Ignore", "object.spec.nothing == 1", "false", "Deny", ErrorIgnored, "matchConditions"},
		{"does not compile", "Fail", "true", "nonsense(", "Deny", Error, "validations[0]"},
		{"does not compile, ignored", "Ignore", "true", "nonsense(", "Deny", ErrorIgnored, "validations[0]"},
		{"condition does not compile", "Ignore", "nonsense(", "false", "Deny", ErrorIgnored, "matchConditions"},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			policies := &inventory.Policies{
				Validating:         []*vap{parse[vap](t, policyText("p", test.failurePolicy, test.condition, test.validate))},
				ValidatingBindings: []*vapb{parse[vapb](t, bindingText("p", "b", test.actions))},
			}
			c := teamA()
			r := request("dev", nil, deployment("downscaler/exclude", "true"))
			got, steps := ours(t, compile(t, c, policies), r)
			compare(t, newOracle(t, c, policies).decide(t, r, c), got)
			if len(steps) != 1 || steps[0].Decision != test.want || steps[0].Because.Rule != test.because {
				t.Errorf("steps %+v, want %s because of %q", steps, test.want, test.because)
			}
		})
	}
}

// TestEveryDenialIsTold: the API server tells one denial, any one of them.
func TestEveryDenialIsTold(t *testing.T) {
	policies := &inventory.Policies{
		Validating: []*vap{
			parse[vap](t, policyText("one", "Fail", "true", "false")),
			parse[vap](t, policyText("two", "Fail", "true", "false")),
			parse[vap](t, policyText("failing", "Fail", "true", "object.spec.nothing == 1")),
			parse[vap](t, policyText("fine", "Fail", "true", "true")),
		},
		ValidatingBindings: []*vapb{
			parse[vapb](t, bindingText("one", "b1", "Deny")),
			parse[vapb](t, bindingText("one", "b2", "Deny, Audit")),
			parse[vapb](t, bindingText("two", "b3", "Deny")),
			parse[vapb](t, bindingText("failing", "b0", "Deny")),
			parse[vapb](t, bindingText("fine", "b4", "Deny")),
		},
	}
	c := teamA()
	r := request("dev", nil, deployment())
	verdict := compile(t, c, policies).Validate(t.Context(), r)
	var messages []string
	for _, s := range verdict.Statuses {
		messages = append(messages, s.Message)
	}
	const prefix = `deployments.apps "web" is forbidden: ValidatingAdmissionPolicy `
	want := []string{
		prefix + "'failing' with binding 'b0' denied request: expression 'object.spec.nothing == 1' resulted in error: no such key: nothing",
		prefix + "'one' with binding 'b1' denied request: refused by one",
		prefix + "'one' with binding 'b2' denied request: refused by one",
		prefix + "'two' with binding 'b3' denied request: refused by two",
	}
	if diff := cmp.Diff(want, messages); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	told := newOracle(t, c, policies).decide(t, r, c)
	if !slices.Contains(messages, told.Message) {
		t.Errorf("the plugin says %q, which is not among them", told.Message)
	}
}

func TestWhyNotMatched(t *testing.T) {
	base := policyText("p", "Fail", "true", "false")
	cases := map[string]struct{ policy, binding, want string }{
		"other kind":         {strings.ReplaceAll(base, "deployments", "statefulsets"), bindingText("p", "b", "Deny"), "matchConstraints.resourceRules"},
		"other operation":    {strings.ReplaceAll(base, "CREATE, UPDATE", "DELETE"), bindingText("p", "b", "Deny"), "matchConstraints.resourceRules"},
		"object selector":    {strings.ReplaceAll(base, "    resourceRules:", "    objectSelector: {matchLabels: {app: other}}\n    resourceRules:"), bindingText("p", "b", "Deny"), "matchConstraints.objectSelector"},
		"namespace selector": {strings.ReplaceAll(base, "    resourceRules:", "    namespaceSelector: {matchLabels: {guarded: \"yes\"}}\n    resourceRules:"), bindingText("p", "b", "Deny"), "matchConstraints.namespaceSelector"},
		"excluded":           {strings.ReplaceAll(base, "    resourceRules:", "    excludeResourceRules: [{apiGroups: [\"*\"], apiVersions: [\"*\"], resources: [deployments], operations: [\"*\"]}]\n    resourceRules:"), bindingText("p", "b", "Deny"), "matchConstraints.excludeResourceRules[0]"},
		"binding":            {base, strings.ReplaceAll(bindingText("p", "b", "Deny"), "spec: {", "spec: {matchResources: {objectSelector: {matchLabels: {app: other}}}, "), "matchResources.objectSelector"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			policies := &inventory.Policies{
				Validating:         []*vap{parse[vap](t, test.policy)},
				ValidatingBindings: []*vapb{parse[vapb](t, test.binding)},
			}
			c := teamA()
			r := request("dev", nil, deployment())
			got, steps := ours(t, compile(t, c, policies), r)
			compare(t, newOracle(t, c, policies).decide(t, r, c), got)
			if len(steps) != 1 || steps[0].Decision != NotMatched || steps[0].Because.Rule != test.want {
				t.Errorf("steps %+v, want NotMatched because of %s", steps, test.want)
			}
		})
	}
}

// TestConfigurationErrors: selectors that the API server would not have let in, and has from an older version.
func TestConfigurationErrors(t *testing.T) {
	const selector = "{matchExpressions: [{key: app, operator: Resembles}]}"
	base := policyText("p", "FAILURE", "true", "true")
	for _, failurePolicy := range []string{"Fail", "Ignore"} {
		text := strings.ReplaceAll(base, "FAILURE", failurePolicy)
		cases := map[string]struct{ policy, binding string }{
			"policy":  {strings.ReplaceAll(text, "    resourceRules:", "    objectSelector: "+selector+"\n    resourceRules:"), bindingText("p", "b", "Deny")},
			"binding": {text, strings.ReplaceAll(bindingText("p", "b", "Deny"), "spec: {", "spec: {matchResources: {objectSelector: "+selector+"}, ")},
		}
		for name, test := range cases {
			t.Run(failurePolicy+"/"+name, func(t *testing.T) {
				policies := &inventory.Policies{
					Validating:         []*vap{parse[vap](t, test.policy)},
					ValidatingBindings: []*vapb{parse[vapb](t, test.binding)},
				}
				c := teamA()
				r := request("dev", nil, deployment())
				got, steps := ours(t, compile(t, c, policies), r)
				compare(t, newOracle(t, c, policies).decide(t, r, c), got)
				want := map[string]Decision{"Fail": Error, "Ignore": ErrorIgnored}[failurePolicy]
				if len(steps) != 1 || steps[0].Decision != want {
					t.Errorf("steps %+v, want %s", steps, want)
				}
			})
		}
	}
}

// TestAuditAnnotations: what one comes to, and that one which fails denies whatever the binding's actions are.
func TestAuditAnnotations(t *testing.T) {
	cases := map[string]struct {
		expression string
		want       Decision
	}{
		"published": {"request.userInfo.username", Admitted},
		"left out":  {"''", Admitted},
		"failing":   {"object.spec.nothing", Error},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			p := parse[vap](t, policyText("p", "Fail", "true", "true"))
			p.Spec.AuditAnnotations = []admissionregistrationv1.AuditAnnotation{{Key: "who", ValueExpression: test.expression}}
			policies := &inventory.Policies{
				Validating:         []*vap{p},
				ValidatingBindings: []*vapb{parse[vapb](t, bindingText("p", "b1", "Warn")), parse[vapb](t, bindingText("p", "b2", "Audit"))},
			}
			c := teamA()
			r := request("dev", nil, deployment())
			got, steps := ours(t, compile(t, c, policies), r)
			whole := newOracle(t, c, policies)
			want := whole.decide(t, r, c)
			if name == "failing" { // of two bindings, and either may be first
				want.Message, got.Message = "", ""
			}
			compare(t, want, got)
			if steps[0].Decision != test.want {
				t.Errorf("step %+v, want %s", steps[0], test.want)
			}
		})
	}
}

// TestWarningThatNoHeaderHolds: the API server drops it.
func TestWarningThatNoHeaderHolds(t *testing.T) {
	p := parse[vap](t, policyText("p", "Fail", "true", "false"))
	p.Spec.Validations[0].Message = ""
	p.Spec.Validations[0].Expression = "// why\nfalse"
	policies := &inventory.Policies{Validating: []*vap{p}, ValidatingBindings: []*vapb{parse[vapb](t, bindingText("p", "b", "Warn"))}}
	verdict := compile(t, teamA(), policies).Validate(t.Context(), request("dev", nil, deployment()))
	if len(verdict.Warnings) > 0 || verdict.Steps[0].Decision != Warned {
		t.Errorf("warnings %q, step %+v", verdict.Warnings, verdict.Steps[0])
	}
}
