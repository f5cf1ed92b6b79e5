package policy

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// unansweredError says that nobody knows.
type unansweredError struct{}

func (unansweredError) Error() string { return "nobody knows" }
func (unansweredError) Unanswered()   {}

// byVerb is an authorizer that allows "may", fails on "fail", can't tell of "guess", and refuses everything else.
type byVerb struct{}

func (byVerb) Authorize(ctx context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	switch {
	case ctx.Err() != nil:
		return authorizer.DecisionNoOpinion, "", ctx.Err()
	case a.GetVerb() == "may":
		return authorizer.DecisionAllow, "because", nil
	case a.GetVerb() == "fail":
		return authorizer.DecisionNoOpinion, "", errors.New("a webhook is down")
	case a.GetVerb() == "guess":
		return authorizer.DecisionNoOpinion, "", unansweredError{}
	}
	return authorizer.DecisionNoOpinion, "", nil
}

const (
	asksMay   = "authorizer.group('apps').resource('deployments').check('may').allowed()"
	asksGuess = "authorizer.group('apps').resource('deployments').check('guess').allowed()"
)

// TestAuthorizer: what an expression makes of a question that nobody could answer is a guess, unless it does not matter.
func TestAuthorizer(t *testing.T) {
	for name, test := range map[string]struct {
		condition, validation string
		want                  Decision
	}{
		"allowed":                       {"true", asksMay, Admitted},
		"refused":                       {"true", "authorizer.path('/healthz').check('get').allowed()", Denied},
		"its reason":                    {"true", "authorizer.requestResource.check('may').reason() == 'because'", Admitted},
		"an authorizer's own failure":   {"true", "authorizer.requestResource.check('fail').errored()", Admitted},
		"nobody knows":                  {"true", asksGuess, NotSimulated},
		"nobody knows, taken for no":    {"true", "!" + asksGuess, NotSimulated},
		"nobody knows its reason":       {"true", "authorizer.requestResource.check('guess').reason() == ''", NotSimulated},
		"nobody is asked":               {"true", asksMay + " || " + asksGuess, Admitted},
		"nobody knows by a variable":    {"true", "variables.guess", NotSimulated},
		"another variable":              {"true", "variables.may", Admitted},
		"in a condition":                {asksGuess, "true", NotSimulated},
		"beside a condition":            {"false", asksGuess, Skipped},
		"of another service account":    {"true", "authorizer.serviceAccount('a', 'b').path('/x').check('guess').allowed()", NotSimulated},
		"with selectors, which narrow":  {"true", "authorizer.group('').resource('pods').fieldSelector('a=b').labelSelector('c=d').check('may').allowed()", Admitted},
		"with selectors, nobody knows":  {"true", "authorizer.group('').resource('pods').labelSelector('c=d').check('guess').errored()", NotSimulated},
		"in a condition that is false":  {"authorizer.requestResource.check('other').allowed()", asksGuess, Skipped},
		"in a variable used by no-one":  {"true", "true", Admitted},
		"nobody knows, and a condition": {asksMay, asksGuess, NotSimulated},
	} {
		t.Run(name, func(t *testing.T) {
			policies := probe(t, test.condition, test.validation)
			policies.Validating[0].Spec.Variables = []admissionregistrationv1.Variable{{Name: "guess", Expression: asksGuess}, {Name: "may", Expression: asksMay}}
			verdict := compileAsking(t, policies).Validate(t.Context(), request("dev", nil, deployment()))
			step := verdict.Steps[0]
			if step.Decision != test.want {
				t.Errorf("decision %s (%s), want %s", step.Decision, step.Message, test.want)
			}
			open := test.want == NotSimulated
			if verdict.Uncertain != open || (len(verdict.NotKnown) > 0) != open || open && !strings.Contains(verdict.NotKnown[0].Why, "authorizer (nobody knows)") {
				t.Errorf("uncertain %t, not known %v", verdict.Uncertain, verdict.NotKnown)
			}
		})
	}
}

func compileAsking(t *testing.T, policies *inventory.Policies) *Set {
	t.Helper()
	set, err := Compile(t.Context(), teamA(), policies, Options{Authorizer: byVerb{}})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// TestAuthorizerOfMutation: the same of what a mutation asks.
func TestAuthorizerOfMutation(t *testing.T) {
	for asks, want := range map[string]Decision{asksMay: Mutated, asksGuess: NotSimulated, "!" + asksMay: NoChange} {
		p := parse[mutp](t, `
metadata: {name: probe}
spec:
  failurePolicy: Fail
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: ["*"]}
  mutations:
  - patchType: JSONPatch
    jsonPatch: {expression: ""}
`)
		p.Spec.Mutations[0].JSONPatch.Expression = asks + ` ? [JSONPatch{op: "add", path: "/metadata/annotations", value: {"a": "b"}}] : []`
		set := compileAsking(t, &inventory.Policies{
			Mutating:         []*mutp{p},
			MutatingBindings: []*mutb{parse[mutb](t, "metadata: {name: all}\nspec: {policyName: probe}")},
		})
		_, verdict := set.Mutate(t.Context(), request("dev", nil, deployment()))
		if got := verdict.Steps[0]; got.Decision != want || verdict.Uncertain != (want == NotSimulated) {
			t.Errorf("%s: %s (%s), uncertain %t", asks, got.Decision, got.Message, verdict.Uncertain)
		}
	}
}

// TestAuthorizerInTime: a question that the run's end cut off has no answer.
func TestAuthorizerInTime(t *testing.T) {
	set := compileAsking(t, probe(t, "true", "!"+asksMay))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := set.Validate(ctx, request("dev", nil, deployment())).Steps[0]; got.Decision != NotSimulated {
		t.Errorf("decision %s (%s)", got.Decision, got.Message)
	}
}

// TestAuthorizerOfWebhook: a webhook is named unless it is certain that it is not called.
func TestAuthorizerOfWebhook(t *testing.T) {
	for asks, want := range map[string]bool{asksMay: true, "!" + asksMay: false, asksGuess: true, "!" + asksGuess: true} {
		configuration := parse[admissionregistrationv1.ValidatingWebhookConfiguration](t, `
metadata: {name: outside}
webhooks:
- name: a.example.com
  failurePolicy: Fail
  matchConditions: [{name: a, expression: ""}]
  rules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: ["*"]}]
`)
		configuration.Webhooks[0].MatchConditions[0].Expression = asks
		set := compileAsking(t, &inventory.Policies{ValidatingWebhooks: []*admissionregistrationv1.ValidatingWebhookConfiguration{configuration}})
		called := set.Webhooks(t.Context(), request("dev", nil, deployment()))
		if slices.ContainsFunc(called, func(g inventory.Gap) bool { return strings.HasSuffix(g.What, "outside") }) != want {
			t.Errorf("%s: %v", asks, called)
		}
	}
}

// TestAuthorizerIsAskedOnce: the library remembers answers, and an answer that nobody knew is no better the second time.
func TestAuthorizerIsAskedOnce(t *testing.T) {
	policies, again := probe(t, "true", asksGuess), probe(t, "true", "!"+asksGuess)
	again.Validating[0].Name, again.ValidatingBindings[0].Name, again.ValidatingBindings[0].Spec.PolicyName = "again", "again", "again"
	policies.Validating = append(policies.Validating, again.Validating...)
	policies.ValidatingBindings = append(policies.ValidatingBindings, again.ValidatingBindings...)
	for _, step := range compileAsking(t, policies).Validate(t.Context(), request("dev", nil, deployment())).Steps {
		if step.Decision != NotSimulated {
			t.Errorf("%s: %s (%s)", step.Policy, step.Decision, step.Message)
		}
	}
}
