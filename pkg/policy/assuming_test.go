package policy

import (
	"context"
	"slices"
	"strings"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

var roleIsGone = inventory.Gap{What: "Role gone", Why: "it is taken to allow nothing"}

// assumes is byVerb, and takes something for granted about the verb "assume".
type assumes struct{ byVerb }

// AuthorizeAssuming implements Assuming.
func (z assumes) AuthorizeAssuming(ctx context.Context, a authorizer.Attributes) (authorizer.Decision, string, []inventory.Gap, error) {
	decision, reason, err := z.Authorize(ctx, a)
	if a.GetVerb() == "assume" {
		return decision, reason, []inventory.Gap{roleIsGone}, err
	}
	return decision, reason, nil, err
}

const asksAssume = "authorizer.group('apps').resource('deployments').check('assume').allowed()"

func compileAssuming(t *testing.T, policies *inventory.Policies) *Set {
	t.Helper()
	set, err := Compile(t.Context(), teamA(), policies, Options{Authorizer: assumes{}})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// TestAssumed: what an authorizer takes for granted is told beside what a policy makes of it, whichever way that goes.
func TestAssumed(t *testing.T) {
	for name, test := range map[string]struct {
		condition, validation string
		want                  Decision
		assumed               bool
	}{
		"taken for a no":         {"true", "!" + asksAssume, Admitted, true},
		"and denied for it":      {"true", asksAssume, Denied, true},
		"in a condition":         {asksAssume, "false", Skipped, true},
		"asked twice, told once": {"!" + asksAssume, "!" + asksAssume, Admitted, true},
		"nothing is assumed":     {"true", asksMay, Admitted, false},
	} {
		verdict := compileAssuming(t, probe(t, test.condition, test.validation)).Validate(t.Context(), request("dev", nil, deployment()))
		var want []inventory.Gap
		if test.assumed {
			want = []inventory.Gap{roleIsGone}
		}
		if got := verdict.Steps[0].Decision; got != test.want || !slices.Equal(verdict.Assumed, want) || verdict.Uncertain {
			t.Errorf("%s: %s, assumed %v, uncertain %t", name, got, verdict.Assumed, verdict.Uncertain)
		}
	}
}

// TestAssumedByMutation: the same of what a mutation asks.
func TestAssumedByMutation(t *testing.T) {
	p := parse[mutp](t, `
metadata: {name: probe}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: ["*"]}
  matchConditions: [{name: a, expression: ""}]
  mutations:
  - patchType: JSONPatch
    jsonPatch: {expression: "[]"}
`)
	p.Spec.MatchConditions[0].Expression = asksAssume
	set := compileAssuming(t, &inventory.Policies{
		Mutating:         []*mutp{p},
		MutatingBindings: []*mutb{parse[mutb](t, "metadata: {name: all}\nspec: {policyName: probe}")},
	})
	_, verdict := set.Mutate(t.Context(), request("dev", nil, deployment()))
	if got := verdict.Steps[0].Decision; got != Skipped || !slices.Equal(verdict.Assumed, []inventory.Gap{roleIsGone}) {
		t.Errorf("%s, assumed %v", got, verdict.Assumed)
	}
}

// TestAssumedByWebhook: a webhook that is not called because of an assumption leaves the assumption.
func TestAssumedByWebhook(t *testing.T) {
	configuration := parse[admissionregistrationv1.ValidatingWebhookConfiguration](t, strings.ReplaceAll(`
metadata: {name: outside}
webhooks:
- name: a.example.com
  failurePolicy: Fail
  matchConditions: [{name: a, expression: "ASKS"}]
  rules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: ["*"]}]
`, "ASKS", asksAssume))
	set := compileAssuming(t, &inventory.Policies{ValidatingWebhooks: []*admissionregistrationv1.ValidatingWebhookConfiguration{configuration}})
	if told := set.Webhooks(t.Context(), request("dev", nil, deployment())); !slices.Equal(told, []inventory.Gap{roleIsGone}) {
		t.Error(told)
	}
}
