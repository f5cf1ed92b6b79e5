package listing

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// checked lists one validating policy with a rule and a validation.
func checked(t *testing.T, version, rule, expression string) (Policy, Report) {
	t.Helper()
	report := list(t, read(t, version, fmt.Sprintf(`
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints: {resourceRules: [{operations: [CREATE], %s}]}
  validations: [{expression: %q}]
`, rule, expression)), Options{})
	return report.policy(t, "p"), report
}

const onDeployments = `apiGroups: [apps], apiVersions: [v1], resources: [deployments, deployments/status]`

func TestTypeCheck(t *testing.T) {
	const good = "object.metadata.name != ''"
	for _, c := range []struct {
		rule, expression string
		state            TypeState
		kinds            string
		left             []string
	}{
		{onDeployments, good, TypesPassed, "apps/v1 Deployment", nil},
		{onDeployments, "object.spec.replicas > 1", TypesPassed, "apps/v1 Deployment", nil},
		{onDeployments, "object.spec.replicaz > 1", TypesWarned, "apps/v1 Deployment", nil},
		{`apiGroups: [apps], apiVersions: [v1], resources: [deployments, gadgets]`, good, TypesPartial, "apps/v1 Deployment",
			[]string{"gadgets.apps v1: the server does not serve it"}},
		{`apiGroups: [example.com], apiVersions: [v1], resources: [gadgets]`, good, TypesNotChecked, "",
			[]string{"gadgets.example.com v1: the server does not serve it"}},
		{`apiGroups: [apps], apiVersions: ["*"], resources: [deployments]`, good, TypesNotChecked, "",
			[]string{"deployments: the API server passes over rules with a wildcard for the group or the version"}},
		{`apiGroups: [apps], apiVersions: [v1], resources: ["*", "replicasets/status", deployments]`, good, TypesPartial, "apps/v1 Deployment",
			[]string{"*: the API server passes over subresources and wildcards", "replicasets/status: the API server passes over subresources and wildcards"}},
		{`apiGroups: [""], apiVersions: [v1], resources: [configmaps, endpoints, limitranges, namespaces, nodes, persistentvolumes, pods, podtemplates, resourcequotas, secrets, services]`, good, TypesPartial,
			"v1 ConfigMap, v1 Endpoints, v1 LimitRange, v1 Namespace, v1 Node, v1 PersistentVolume, v1 Pod, v1 PodTemplate, v1 ResourceQuota, v1 Secret",
			[]string{"services v1: the API server checks no more than ten types"}},
	} {
		p, _ := checked(t, "", c.rule, c.expression)
		var left []string
		for _, gap := range p.TypeCheck.NotChecked {
			left = append(left, gap.What+": "+gap.Why)
		}
		if got := strings.Join(p.TypeCheck.Kinds, ", "); p.TypeCheck.State != c.state || got != c.kinds || cmp.Diff(c.left, left) != "" {
			t.Errorf("%s, %s: %s of %s, left %q", c.rule, c.expression, p.TypeCheck.State, got, left)
		}
	}
}

// TestTypeCheckIsStable: the checker's own names for types have random numbers in them.
func TestTypeCheckIsStable(t *testing.T) {
	want := "apps/v1, Kind=Deployment: ERROR: <input>:1:13: found no matching overload for '_==_' applied to '(Deployment.spec, int)'\n" +
		" | object.spec == 3\n | ............^"
	p, _ := checked(t, "", onDeployments, "object.spec == 3")
	if len(p.TypeCheck.Warnings) != 1 || p.TypeCheck.Warnings[0] != (Remark{"spec.validations[0].expression", want}) {
		t.Errorf("%+v", p.TypeCheck.Warnings)
	}
}

// TestOtherVersion: manifests for another version are checked with the schemas that are there, and that is said.
func TestOtherVersion(t *testing.T) {
	if _, report := checked(t, "v1.34.0", onDeployments, "true"); len(report.Assumptions) != 1 || report.Assumptions[0].What != "type checks" {
		t.Errorf("%+v", report.Assumptions)
	}
	if _, report := checked(t, inventory.NewestVersion(), onDeployments, "true"); len(report.Assumptions) > 0 {
		t.Errorf("%+v", report.Assumptions)
	}
}

func TestCompile(t *testing.T) {
	p, report := checked(t, "", onDeployments, "object.metadata.name ==")
	if p.Compile.State != DoesNotCompile || len(p.Compile.Errors) != 1 || p.Compile.Errors[0].Field != "spec.validations[0].expression" || report.Summary.NotCompiling != 1 {
		t.Errorf("%+v", p.Compile)
	}
	inv := read(t, "", strings.ReplaceAll(world, "!has(object.metadata.annotations)", "object.metadata.name =="))
	newer := list(t, lacking{Inventory: inv, server: inventory.Server{Version: "v1.99.0", Source: inventory.SourceCluster}}, Options{})
	if p := newer.policy(t, "pods"); p.Compile.State != CompileUnknown || len(newer.Incomplete) != 1 || newer.Summary.NotCompiling != 0 {
		t.Errorf("%+v, incomplete %v", p.Compile, newer.Incomplete)
	}
}

// TestCompileByUse: a matchCondition that reads a variable runs where it is stored, and an API server takes no new one.
func TestCompileByUse(t *testing.T) {
	inv := read(t, "", `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE]}]}
  variables: [{name: x, expression: "true"}]
  matchConditions: [{name: c, expression: variables.x}]
  validations: [{expression: "true"}]
`)
	stored := lacking{Inventory: inv, server: inventory.Server{Version: inventory.NewestVersion(), Source: inventory.SourceCluster}}
	for _, c := range []struct {
		inventory inventory.Inventory
		proposed  *inventory.Policies
		want      CompileState
	}{
		{stored, nil, Compiles}, {stored, inv.Policies(), DoesNotCompile}, {inv, nil, DoesNotCompile},
	} {
		if p := list(t, c.inventory, Options{Proposed: c.proposed}).policy(t, "p"); p.Compile.State != c.want {
			t.Errorf("%+v: %+v, want %s", c.inventory.Server(), p.Compile, c.want)
		}
	}
}

func TestStoredTypeCheck(t *testing.T) {
	manifest := `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p, generation: 2, uid: x}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE]}]}
  validations: [{expression: "true"}]
status: {observedGeneration: %d, typeChecking: {expressionWarnings: [{fieldRef: "spec.validations[0].expression", warning: odd}]}}
`
	for generation, current := range map[int]bool{2: true, 1: false} {
		report := list(t, read(t, "", fmt.Sprintf(manifest, generation)), Options{})
		want := &StoredTypeCheck{Current: current, Warnings: []Remark{{"spec.validations[0].expression", "odd"}}}
		if diff := cmp.Diff(want, report.policy(t, "p").TypeCheck.Stored); diff != "" || (report.Summary.TypeWarnings == 1) != current {
			t.Errorf("%d: %s, %+v", generation, diff, report.Summary)
		}
	}
}

func TestInWords(t *testing.T) {
	user := func(match policy.Match, text string) policy.Test {
		return policy.Test{Kind: policy.PartyUser, Match: match, Text: text}
	}
	account := func(match policy.Match, text string) policy.Test {
		return policy.Test{Kind: policy.PartyServiceAccount, Match: match, Text: "system:serviceaccount:" + text}
	}
	group := func(match policy.Match, text string) policy.Test {
		return policy.Test{Kind: policy.PartyGroup, Match: match, Text: text}
	}
	not := func(t policy.Test) policy.Test { t.Negated = true; return t }
	for want, tests := range map[string][]policy.Test{
		"user dev":                                                 {user(policy.MatchEquals, "dev")},
		"users matching ^(?:ops-.*)$":                              {user(policy.MatchRegex, "^(?:ops-.*)$")},
		"users ending in -ops":                                     {user(policy.MatchSuffix, "-ops")},
		"groups containing adm":                                    {group(policy.MatchContains, "adm")},
		"group system:masters":                                     {group(policy.MatchEquals, "system:masters")},
		"all service accounts":                                     {group(policy.MatchEquals, "system:serviceaccounts")},
		"service accounts in namespace ci":                         {group(policy.MatchEquals, "system:serviceaccounts:ci")},
		"service account ci:deployer":                              {account(policy.MatchEquals, "ci:deployer")},
		"user system:serviceaccount:ci":                            {account(policy.MatchEquals, "ci")},
		"service accounts in namespace cd":                         {account(policy.MatchPrefix, "cd:")},
		"service accounts beginning with system:serviceaccount:ci": {account(policy.MatchPrefix, "ci")},
		"service accounts in namespace ci that are also users matching deploy": {account(policy.MatchPrefix, "ci:"), user(policy.MatchRegex, "deploy")},
		"everybody but user dev and user ops":                                  {not(user(policy.MatchEquals, "dev")), not(user(policy.MatchEquals, "ops"))},
		"group devs, but not user dev":                                         {not(user(policy.MatchEquals, "dev")), group(policy.MatchEquals, "devs")},
		"everybody but requesters with a group":                                {not(group(policy.MatchPresent, ""))},
	} {
		if got := inWords(tests); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
