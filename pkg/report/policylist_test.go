package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/listing"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

func party(text, field string, test policy.Test, when ...string) listing.Party {
	return listing.Party{Text: text, Party: policy.Party{Tests: []policy.Test{test}, Field: field, When: when}}
}

// guardPolicy is a policy with everything.
func guardPolicy() listing.Policy {
	const kind = "ValidatingAdmissionPolicy"
	rule := listing.Resources{
		APIGroups: []string{"apps"}, APIVersions: []string{"v1"}, Operations: []string{"CREATE", "UPDATE"}, Scope: "*",
		Resources: []string{"deployments", "deployments/status", "statefulsets", "statefulsets/status", "daemonsets", "daemonsets/status"},
	}
	namespaces := listing.Resources{APIGroups: []string{""}, APIVersions: []string{"v1"}, Operations: []string{"UPDATE"}, Scope: "Cluster", Resources: []string{"namespaces"}, ResourceNames: []string{"team-a"}}
	p := listing.Policy{
		Kind: kind, Name: "guard", Origin: listing.InForce, AboutAnnotations: true, FailurePolicy: "Fail", MatchPolicy: "Equivalent",
		ParamKind: &listing.ParamKind{APIVersion: "v1", Kind: "ConfigMap"},
		Match:     listing.Match{Resources: []listing.Resources{rule, namespaces}, ExcludedResources: []listing.Resources{namespaces}, ObjectSelector: "app=x"},
		Bindings: []listing.Binding{
			{
				Kind: kind + "Binding", Name: "guard-all", Policy: "guard", Origin: listing.Proposed, Actions: []string{"Deny", "Audit"},
				ParamRef:   &listing.ParamRef{Selector: "a=b", ParameterNotFoundAction: "Deny"},
				Namespaces: &listing.Namespaces{Coverage: listing.CoversAll},
			},
			{
				Kind: kind + "Binding", Name: "guard-some", Policy: "guard", Origin: listing.InForce, Actions: []string{"Warn"},
				ParamRef:   &listing.ParamRef{Name: "p", Namespace: "ops", ParameterNotFoundAction: "Allow"},
				Match:      listing.Match{NamespaceSelector: "guarded=yes", ObjectSelector: "tier=web", Resources: []listing.Resources{namespaces}},
				Namespaces: &listing.Namespaces{Coverage: listing.CoversSelected, Covered: []string{"team-a", "team-b"}, Excluded: []string{"team-c"}},
			},
		},
		Parties: listing.Parties{
			Named: []listing.Party{
				party("service account ci:deployer", "spec.matchConditions[0].expression", policy.Test{Kind: policy.PartyServiceAccount, Match: policy.MatchEquals, Text: "system:serviceaccount:ci:deployer"}),
				party("users matching ^ops", "spec.matchConditions[1].expression", policy.Test{Kind: policy.PartyUser, Match: policy.MatchRegex, Text: "^ops"}, "request.operation == \"CREATE\""),
				party("group admins", "spec.validations[0].expression", policy.Test{Kind: policy.PartyGroup, Match: policy.MatchEquals, Text: "admins"}),
				party("group admins", "spec.validations[1].expression", policy.Test{Kind: policy.PartyGroup, Match: policy.MatchEquals, Text: "admins"}),
			},
			Expressions: []policy.Expression{{Field: "spec.matchConditions[2].expression", Name: "odd", Expression: "request.userInfo.uid !=\n'x'"}},
		},
		Compile: listing.Compile{State: listing.Compiles},
		TypeCheck: listing.TypeCheck{
			State: listing.TypesWarned, Kinds: []string{"apps/v1 Deployment"}, NotChecked: []inventory.Gap{{What: "widgets v1", Why: "the server does not serve it"}},
			Warnings: []listing.Remark{
				{Field: "spec.validations[0].expression", Message: "apps/v1, Kind=Deployment: ERROR: <input>:1:5: undefined field 'x'\n | object.x\n | ....^\n/v1, Kind=Pod: ERROR: <input>:1:5: undefined field 'x'\n | object.x\n | ....^"},
				{Field: "spec.validations[1].expression", Message: "something else\nin two lines"},
			},
			Stored: &listing.StoredTypeCheck{Current: true, Warnings: []listing.Remark{
				{Field: "spec.validations[0].expression", Message: "the same"}, {Field: "spec.validations[2].expression", Message: "only stored"},
			}},
		},
	}
	return p
}

// policyList has a policy of each sort.
func policyList() *listing.Report {
	const gap = "no right to list them"
	broken := listing.Policy{
		Kind: "ValidatingAdmissionPolicy", Name: "broken", Origin: listing.Proposed, AboutAnnotations: true, FailurePolicy: "Ignore", MatchPolicy: "Exact",
		Compile: listing.Compile{State: listing.DoesNotCompile, Errors: []listing.Remark{{Field: "spec.variables[0].expression", Message: "compilation failed: ERROR: <input>:1:3: Syntax error\n | x =\n | ..^"}}},
	}
	strip := listing.Policy{
		Kind: "MutatingAdmissionPolicy", Name: "strip", Origin: listing.InForce, AboutAnnotations: true, FailurePolicy: "Fail", MatchPolicy: "Equivalent", ReinvocationPolicy: "IfNeeded",
		Match: listing.Match{Resources: []listing.Resources{{APIGroups: []string{"apps"}, APIVersions: []string{"*"}, Operations: []string{"*"}, Resources: []string{"*"}, Scope: "*"}}},
		Bindings: []listing.Binding{{
			Kind: "MutatingAdmissionPolicyBinding", Name: "strip", Policy: "strip", Origin: listing.InForce, Actions: []string{listing.ActionMutate},
			Namespaces: &listing.Namespaces{Coverage: listing.CoversUnknown}, Match: listing.Match{NamespaceSelector: "a in (b)"},
		}},
		Parties:   listing.Parties{Expressions: []policy.Expression{{Field: "a", Expression: "x"}, {Field: "b", Expression: "y"}}},
		Compile:   listing.Compile{State: listing.Compiles},
		TypeCheck: listing.TypeCheck{State: listing.TypesNotChecked, NotChecked: []inventory.Gap{{What: "MutatingAdmissionPolicy", Why: "the API server type-checks validating policies only"}}},
	}
	other := listing.Policy{
		Kind: "ValidatingAdmissionPolicy", Name: "other", Origin: listing.InForce, FailurePolicy: "Fail", MatchPolicy: "Equivalent",
		Compile: listing.Compile{State: listing.CompileUnknown}, TypeCheck: listing.TypeCheck{State: listing.TypesPassed},
	}
	return &listing.Report{
		APIVersion: simulate.APIVersion, Kind: listing.Kind, Server: inventory.Server{Version: "v1.37.1", Source: inventory.SourceCluster},
		Policies:              []listing.Policy{broken, guardPolicy(), other, strip},
		BindingsWithoutPolicy: []listing.Binding{{Kind: "MutatingAdmissionPolicyBinding", Name: "dangling", Policy: "nowhere", Origin: listing.InForce, Actions: []string{listing.ActionMutate}}},
		Incomplete:            []inventory.Gap{{What: "the namespaces that selectors choose", Why: gap}},
		Assumptions:           []inventory.Gap{{What: "type checks", Why: "they go by other schemas"}},
		Summary:               listing.Summary{Policies: 4, AboutAnnotations: 3, WithoutBinding: 2, NotCompiling: 1, TypeWarnings: 1},
	}
}

func TestPoliciesGolden(t *testing.T) {
	for name, options := range map[string]Options{"": {}, "-all": {ShowAll: true}, "-width80": {Width: 80}, "-color": {Color: true, NoHeaders: true}} {
		golden(t, "policies-table"+name+".txt", printed(t, Policies, "table", policyList(), options))
	}
	golden(t, "policies-wide.txt", printed(t, Policies, "wide", policyList(), Options{}))
	golden(t, "policies-wide-width120.txt", printed(t, Policies, "wide", policyList(), Options{Width: 120}))
	golden(t, "policies.json", printed(t, Policies, "json", policyList(), Options{}))
	golden(t, "policies.yaml", printed(t, Policies, "yaml", policyList(), Options{}))
	golden(t, "policies-empty.json", printed(t, Policies, "json", &listing.Report{Policies: []listing.Policy{{Bindings: []listing.Binding{{}}}}}, Options{}))
}

func TestPoliciesNames(t *testing.T) {
	const want = "validatingadmissionpolicy.admissionregistration.k8s.io/broken\nvalidatingadmissionpolicy.admissionregistration.k8s.io/guard\nmutatingadmissionpolicy.admissionregistration.k8s.io/strip\n"
	if got := string(printed(t, Policies, "name", policyList(), Options{})); got != want {
		t.Error(got)
	}
	if got := string(printed(t, Policies, "name", policyList(), Options{ShowAll: true})); !strings.Contains(got, "/other\n") {
		t.Error(got)
	}
}

func TestPoliciesSummary(t *testing.T) {
	unread := []inventory.Gap{{What: "x", Why: "y"}}
	one := []listing.Policy{{Name: "p", AboutAnnotations: true}}
	for want, report := range map[string]*listing.Report{
		"There are no admission policies.":                                                       {},
		"No admission policies could be listed.":                                                 {Incomplete: unread},
		"There are no admission policies for namespace a. 2 policies do not cover it.":           {Scope: listing.Scope{Namespace: "a"}, Summary: listing.Summary{Elsewhere: 2}},
		"1 policy for namespace a, 1 about downscaler/ annotations. 1 policy does not cover it.": {Policies: one, Scope: listing.Scope{Namespace: "a"}, Summary: listing.Summary{Policies: 1, AboutAnnotations: 1, Elsewhere: 1}},
	} {
		if got := policiesSummary(report, Options{}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestPoliciesHostile: nothing that a policy holds moves the cursor.
func TestPoliciesHostile(t *testing.T) {
	const evil = "\x1b[2Jx\u202e\r"
	report := policyList()
	p := &report.Policies[1]
	p.Name, p.Resources[0].Resources[0], p.Parties.Named[0].Text, p.ObjectSelector = evil, evil, evil, evil
	p.Parties.Expressions[0].Expression, p.TypeCheck.Warnings[0].Message, p.Bindings[1].Name, p.Bindings[1].Namespaces.Covered[0] = evil, evil, evil, evil
	p.ParamKind.Kind, p.Bindings[1].ParamRef.Name, p.Bindings[0].Actions[0], p.FailurePolicy = evil, evil, evil, evil
	report.BindingsWithoutPolicy[0].Policy, report.Scope.Namespace = evil, evil
	for _, format := range []string{"table", "wide", "name"} {
		if got := string(printed(t, Policies, format, report, Options{ShowAll: true})); strings.ContainsAny(got, "\x1b\u202e\r") {
			t.Errorf("%s: %q", format, got)
		}
	}
}

func TestCELWords(t *testing.T) {
	for message, want := range map[string]string{
		"plain": "plain",
		"v1, Kind=Pod: ERROR: <input>:1:5: no\n | a\n | ^\nERROR: <input>:2:5: nor\n | a\n | ^": "no (v1 Pod); nor (v1 Pod)",
		"ERROR: <input>:1:5: no\n | a\nand then":                                                "ERROR: <input>:1:5: no; | a; and then",
	} {
		if got := celWords(message); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := fmt.Sprint(unlike([]listing.Remark{{Field: "a"}, {Field: "b"}}, []listing.Remark{{Field: "a"}})); got != "[{b }]" {
		t.Error(got)
	}
}
