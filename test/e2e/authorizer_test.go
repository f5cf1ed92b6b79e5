package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// asked are expressions that ask the authorizer: true for some requesters and false for others.
var asked = []string{
	"authorizer.group('downscaler.dev').resource('annotations').check('exempt').allowed()",
	"authorizer.group('downscaler.dev').resource('annotations').namespace('team-a').name('web').check('exempt').allowed()",
	"authorizer.path('/exempt').check('get').allowed()",
	"authorizer.requestResource.check('delete').allowed()",
	"authorizer.requestResource.check('patch').reason().contains('patcher')",
	"authorizer.group('apps').resource('deployments').subresource('status').namespace('team-a').check('patch').errored()",
	"authorizer.group('').resource('pods').namespace('team-a').fieldSelector('spec.nodeName=a').labelSelector('a=b').check('list').allowed()",
	"authorizer.serviceAccount('annotated', 'bot').path('/exempt').check('get').allowed()",
	"authorizer.serviceAccount('annotated', 'any').path('/exempt').check('get').allowed()",
	"authorizer.serviceAccount('annotated', 'any').group('apps').resource('deployments').namespace('team-a').check('patch').allowed()",
}

// asking are policies that tell the answers: each expression's false by a warning, the first one as a matchCondition, too, and as
// what a mutation depends on.
func asking() string {
	const rules = "matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [UPDATE]}]}"
	warning := func(name, spec string) string {
		return fmt.Sprintf(`
---
{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, metadata: {name: %[1]s}, spec: {%[2]s, %[3]s}}
---
{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: {name: %[1]s}, spec: {policyName: %[1]s, validationActions: [Warn]}}
`, name, rules, spec)
	}
	var b strings.Builder
	for i, expression := range asked {
		b.WriteString(warning(fmt.Sprintf("asking-%d", i), fmt.Sprintf("variables: [{name: answer, expression: %q}], validations: [{expression: variables.answer}]", expression)))
	}
	b.WriteString(warning("asking-first", fmt.Sprintf(`matchConditions: [{name: exempt, expression: %q}], validations: [{expression: "false"}]`, asked[0])))
	fmt.Fprintf(&b, `
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: asking}
spec:
  %s
  reinvocationPolicy: Never
  mutations:
  - patchType: JSONPatch
    jsonPatch:
      expression: >
        %s ? [JSONPatch{op: "add", path: "/metadata/annotations/downscaler~1uptime", value: "always"}] : []
---
{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingAdmissionPolicyBinding, metadata: {name: asking}, spec: {policyName: asking}}
`, rules, asked[0])
	return b.String()
}

// TestAuthorizerVariable: what policies are told by their authorizer is what the API server tells them, from every source.
func TestAuthorizerVariable(t *testing.T) {
	apply(t, "testdata/cluster.yaml")
	apply(t, "testdata/rights.yaml")
	if err := server.Apply(t.Context(), []byte(asking())); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Delete(context.WithoutCancel(t.Context()), []byte(asking())); err != nil {
			t.Error(err)
		}
	})
	if err := server.WaitForPolicies(t.Context()); err != nil {
		t.Fatal(err)
	}
	ways := sources(t)
	change := []string{"deploy/annotated", "-n", "team-a", "--set", "example.com/other=x"}
	answers := map[string][]string{}
	for _, who := range []string{"patcher", "exempt", "named"} {
		args := append([]string{"as-user", who}, change...)
		compared, out := verified(t, server.Admin.Kubeconfig, "", args...)
		mustAgree(t, compared, out)
		want := compared.Results[0].Server
		answers[who] = want.Warnings
		slices.Sort(answers[who])
		for way, source := range ways {
			report, _ := source.simulate(t, "", args...)
			got := report.Results[0]
			slices.Sort(got.Warnings)
			if diff := cmp.Diff(answers[who], got.Warnings, cmpopts.EquateEmpty()); diff != "" || got.Outcome != want.Outcome || len(report.Incomplete) > 0 {
				t.Errorf("%s, %s: outcome %s, want %s; incomplete %v\n%s", who, way, got.Outcome, want.Outcome, report.Incomplete, diff)
			}
		}
	}
	if len(answers["patcher"]) <= len(answers["exempt"]) || cmp.Equal(answers["patcher"], answers["named"]) {
		t.Errorf("these can't be the answers: %v", answers)
	}
	unknowing := source{kubeconfig: addUser(t, "unknowing").Kubeconfig}
	report, out := unknowing.simulate(t, "", append([]string{"as-user", "root", "--user-group", "system:masters"}, change...)...)
	if out.Code != 2 || report.Results[0].Outcome != simulate.Altered && report.Results[0].Outcome != simulate.Unknown || !mentions(report, "asking-8") {
		t.Errorf("exit %d, outcome %s, incomplete %v", out.Code, report.Results[0].Outcome, report.Incomplete)
	}
	for _, s := range report.Results[0].Steps {
		if about := s.Policy == "asking-8"; about && s.Decision != policy.NotSimulated {
			t.Errorf("nobody can tell what that service account may do: %+v", s)
		}
	}
}
