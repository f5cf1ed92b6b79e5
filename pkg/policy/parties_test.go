package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

// spelled is a party in few words: ! for not, & between tests, and what else has to be true behind "if".
func spelled(p Party) string {
	var tests []string
	for _, t := range p.Tests {
		text := fmt.Sprintf("%s %s %q", t.Kind, t.Match, t.Text)
		if t.Negated {
			text = "!" + text
		}
		tests = append(tests, text)
	}
	text := strings.Join(tests, " & ")
	if len(p.When) > 0 {
		text += " if " + strings.Join(p.When, " and ")
	}
	return text
}

// conditioned are whom one matchCondition lets through, and whether it is among the expressions that are not understood.
func conditioned(condition string, variables ...admissionregistrationv1.Variable) (named []string, unclear bool) {
	p := &admissionregistrationv1.ValidatingAdmissionPolicy{}
	p.Spec.Variables = variables
	p.Spec.MatchConditions = []admissionregistrationv1.MatchCondition{{Name: "c", Expression: condition}}
	found := PartiesOf(p)
	for _, one := range found.Named {
		named = append(named, spelled(one))
	}
	return named, len(found.Expressions) > 0
}

const dev = `User Equals "dev"`

// conditionCases are matchConditions, whom they let through, and whether something in them is not understood.
var conditionCases = []struct {
	condition string
	want      []string
	unclear   bool
}{
	{`request.userInfo.username != "dev"`, []string{dev}, false},
	{`"dev" != request.userInfo.username`, []string{dev}, false},
	{`!(request.userInfo.username == "dev")`, []string{dev}, false},
	{`request.userInfo.username == "dev"`, []string{"!" + dev}, false},
	{`request.userInfo["username"] != "dev"`, []string{dev}, false},
	{`request.userInfo.?username.orValue("") != "dev"`, []string{dev}, false},
	{`request.?userInfo.?username.orValue("") != "dev"`, []string{dev}, false},
	{`request.userInfo.?username.orValue("dev") != "dev"`, nil, true},
	{`request.userInfo.?username != optional.of("dev")`, nil, true},
	{`request.userInfo.?username != "dev"`, nil, true},
	{`request.?userInfo.username != "dev"`, nil, true},
	{`request.userInfo.username != "system:serviceaccount:a:b"`, []string{`ServiceAccount Equals "system:serviceaccount:a:b"`}, false},
	{`request.userInfo.username != "system:serviceaccount:" + "a:b"`, []string{`ServiceAccount Equals "system:serviceaccount:a:b"`}, false},
	{`!(request.userInfo.username in ["dev", 'ops'])`, []string{dev, `User Equals "ops"`}, false},
	{`!(request.userInfo.username in params.names)`, nil, true},
	{`!(request.userInfo.username in [])`, nil, false},
	{`request.userInfo.username in ["dev", "ops"]`, []string{`!User Equals "dev" & !User Equals "ops"`}, false},
	{`!request.userInfo.username.matches("^user1")`, []string{`User Regex "^user1"`}, false},
	{`!matches(request.userInfo.username, "^user1")`, []string{`User Regex "^user1"`}, false},
	{`!request.userInfo.username.matches(r'^a\.b$')`, []string{`User Regex "^a\\.b$"`}, false},
	{`!request.userInfo.username.matches("^system:serviceaccount:ci:")`, []string{`ServiceAccount Regex "^system:serviceaccount:ci:"`}, false},
	{`!request.userInfo.username.matches("system:serviceaccount:ci:")`, []string{`User Regex "system:serviceaccount:ci:"`}, false},
	{`!request.userInfo.username.startsWith("system:serviceaccount:ci:")`, []string{`ServiceAccount Prefix "system:serviceaccount:ci:"`}, false},
	{`!request.userInfo.username.endsWith("-ops")`, []string{`User Suffix "-ops"`}, false},
	{`!request.userInfo.username.contains("ops")`, []string{`User Contains "ops"`}, false},
	{`!("devs" in request.userInfo.groups)`, []string{`Group Equals "devs"`}, false},
	{`!request.userInfo.groups.exists(g, g == "devs")`, []string{`Group Equals "devs"`}, false},
	{`!request.userInfo.?groups.orValue([]).exists(g, g.matches("^d"))`, []string{`Group Regex "^d"`}, false},
	{`request.userInfo.groups.all(g, g != "devs" && !g.startsWith("ops"))`, []string{`Group Equals "devs"`, `Group Prefix "ops"`}, false},
	{`!request.userInfo.groups.exists(g, g in ["a", "b"])`, []string{`Group Equals "a"`, `Group Equals "b"`}, false},
	{`!request.userInfo.groups.exists(g, ["a", "b"].exists(x, x == g))`, []string{`Group Equals "a"`, `Group Equals "b"`}, false},
	{`!["a", "b"].exists(x, x in request.userInfo.groups)`, []string{`Group Equals "a"`, `Group Equals "b"`}, false},
	{`["^a", "^b"].all(p, !request.userInfo.username.matches(p))`, []string{`User Regex "^a"`, `User Regex "^b"`}, false},
	{`cel.bind(who, request.userInfo.username, who != "dev")`, []string{dev}, false},
	{`request.userInfo.groups.exists(g, g.startsWith("a") && g.endsWith("z"))`, nil, true},
	{`!request.userInfo.groups.exists(g, g.startsWith("a") && g.endsWith("z"))`, nil, true},
	{`!request.userInfo.groups.exists(g, g != "a")`, nil, true},
	{`!request.userInfo.groups.exists(g, g == "a" && request.operation == "CREATE")`, []string{`Group Equals "a" if request.operation == "CREATE"`}, false},
	{`request.userInfo.groups.exists(g, g == "a" && request.operation == "CREATE")`, nil, true},
	{`request.userInfo.groups.exists(g, request.operation == "CREATE" && g == "a")`, nil, true},
	{`!request.userInfo.groups.exists_one(g, g == "a")`, nil, true},
	{`!request.userInfo.groups.exists(g, true)`, nil, true},
	{`request.userInfo.username.split(":")[0] != "system"`, nil, true},
	{`!("scopes" in request.userInfo.extra)`, nil, true},
	{`request.userInfo.username != object.metadata.name`, nil, true},
	{`!authorizer.group("").resource("secrets").check("update").allowed()`, nil, true},
	{`has(object.metadata.annotations) && request.userInfo.username != "dev"`, []string{dev}, false},
	{`has(request.dryRun) || request.userInfo.username != "dev"`, []string{dev + ` if !(has(request.dryRun))`}, false},
	{`request.operation == "CREATE" ? request.userInfo.username != "a" : request.userInfo.username != "b"`,
		[]string{`User Equals "a" if request.operation == "CREATE"`, `User Equals "b" if !(request.operation == "CREATE")`}, false},
	{`!(request.userInfo.username.startsWith("system:serviceaccount:ci:") && request.userInfo.username.matches("deploy"))`,
		[]string{`ServiceAccount Prefix "system:serviceaccount:ci:" & User Regex "deploy"`}, false},
	{`!(has(request.userInfo.groups) && "devs" in request.userInfo.groups)`, []string{`Group Equals "devs"`}, false},
	{`has(request.userInfo.groups) && !("devs" in request.userInfo.groups)`, []string{`!Group Present ""`, `Group Equals "devs"`}, false},
	{`request.userInfo.username != "dev" && request.userInfo.uid != "1"`, []string{dev}, true},
	{`true`, nil, false},
	{`object.metadata.annotations.exists(key, key.startsWith("downscaler/"))`, nil, false},
	{`request.userInfo.username !=`, nil, true},
}

func TestPartiesOfConditions(t *testing.T) {
	for _, c := range conditionCases {
		got, unclear := conditioned(c.condition)
		if diff := cmp.Diff(c.want, got); diff != "" || unclear != c.unclear {
			t.Errorf("%s: unclear %t, want %t; parties (-want +got):\n%s", c.condition, unclear, c.unclear, diff)
		}
	}
}

func TestPartiesThroughVariables(t *testing.T) {
	variables := []admissionregistrationv1.Variable{
		{Name: "who", Expression: "request.userInfo.username"},
		{Name: "names", Expression: `["dev", "ops"]`},
		{Name: "exempt", Expression: `variables.who in variables.names || variables.who.matches("^" + "bot$")`},
		{Name: "changes", Expression: `has(object.metadata.annotations)`},
		{Name: "later", Expression: `variables.latest`},
		{Name: "latest", Expression: `request.userInfo.username`},
		{Name: "self", Expression: `variables.self`},
	}
	want := []string{`User Equals "dev"`, `User Equals "ops"`, `User Regex "^bot$"`}
	for _, condition := range []string{
		"!variables.exempt", "variables.changes && !variables.exempt", `!variables["exempt"]`,
		`!(variables.who in variables.names) && !variables.who.matches("^bot$")`,
	} {
		if got, unclear := conditioned(condition, variables...); cmp.Diff(want, got) != "" || unclear {
			t.Errorf("%s: %v, unclear %t", condition, got, unclear)
		}
	}
	// The name of a macro is not that of a request or a variable outside of it.
	if got, unclear := conditioned(`!["dev"].exists(variables, variables == "x") && request.userInfo.username != "dev"`, variables...); cmp.Diff([]string{`User Equals "dev"`}, got) != "" || unclear {
		t.Errorf("shadowed: %v, unclear %t", got, unclear)
	}
	for _, condition := range []string{`variables.later != "dev"`, `variables.self != "dev"`, `variables.nowhere != "dev"`} {
		if got, unclear := conditioned(condition, variables...); len(got) > 0 || !unclear {
			t.Errorf("%s: %v, unclear %t", condition, got, unclear)
		}
	}
}

// TestPartiesOfGrowingVariables: variables that double what they stand for end neither the run nor the memory.
func TestPartiesOfGrowingVariables(t *testing.T) {
	for _, double := range []string{"%[1]s + %[1]s", "%[1]s || %[1]s", "%[1]s && !%[1]s", "%[1]s ? %[1]s : %[1]s"} {
		variables := []admissionregistrationv1.Variable{{Name: "v0", Expression: `request.userInfo.username == "dev"`}, {Name: "t0", Expression: `"x"`}}
		for i := 1; i < 100; i++ {
			variables = append(variables,
				admissionregistrationv1.Variable{Name: fmt.Sprintf("v%d", i), Expression: fmt.Sprintf(double, fmt.Sprintf("variables.v%d", i-1))},
				admissionregistrationv1.Variable{Name: fmt.Sprintf("t%d", i), Expression: fmt.Sprintf("variables.t%d + variables.t%[1]d", i-1)})
		}
		for _, condition := range []string{"variables.v99", "!variables.v99", "request.userInfo.username == variables.t99"} {
			if _, unclear := conditioned(condition, variables...); !unclear {
				t.Errorf("%s of %s is said to be understood", condition, double)
			}
		}
	}
}

func TestPartiesOfValidations(t *testing.T) {
	p := &admissionregistrationv1.ValidatingAdmissionPolicy{}
	p.Spec.Validations = []admissionregistrationv1.Validation{
		{Expression: `object.metadata.annotations == oldObject.metadata.annotations || request.userInfo.username == "dev"`},
		{Expression: `request.userInfo.username != "banned"`},
		{Expression: `request.userInfo.uid == "1"`, MessageExpression: "request.userInfo.username"},
	}
	want := Parties{
		Named: []Party{
			{Tests: []Test{{Kind: PartyUser, Match: MatchEquals, Text: "dev"}}, Field: "spec.validations[0].expression", When: []string{}},
			{Tests: []Test{{Kind: PartyUser, Match: MatchEquals, Text: "banned", Negated: true}}, Field: "spec.validations[1].expression", When: []string{}},
		},
		Expressions: []Expression{{Field: "spec.validations[2].expression", Expression: `request.userInfo.uid == "1"`}},
	}
	if diff := cmp.Diff(want, PartiesOf(p)); diff != "" {
		t.Error(diff)
	}
}

func TestMutatingParties(t *testing.T) {
	p := &admissionregistrationv1.MutatingAdmissionPolicy{}
	p.Spec.MatchConditions = []admissionregistrationv1.MatchCondition{{Name: "not-dev", Expression: `request.userInfo.username != "dev"`}}
	p.Spec.Mutations = []admissionregistrationv1.Mutation{
		{JSONPatch: &admissionregistrationv1.JSONPatch{Expression: `"ops" in request.userInfo.groups ? [] : [JSONPatch{op: "remove", path: "/x"}]`}},
		{ApplyConfiguration: &admissionregistrationv1.ApplyConfiguration{Expression: `Object{metadata: Object.metadata{labels: {"a": "b"}}}`}},
		{ApplyConfiguration: &admissionregistrationv1.ApplyConfiguration{Expression: `Object{metadata: Object.metadata{labels: {"by": request.userInfo.username}}}`}},
	}
	found := MutatingParties(p)
	if len(found.Named) != 1 || spelled(found.Named[0]) != `User Equals "dev"` || found.Named[0].Field != "spec.matchConditions[0].expression" {
		t.Errorf("%+v", found.Named)
	}
	if len(found.Expressions) != 2 || found.Expressions[0].Field != "spec.mutations[0].jsonPatch.expression" || found.Expressions[1].Field != "spec.mutations[2].applyConfiguration.expression" {
		t.Errorf("%+v", found.Expressions)
	}
}

func TestUserKind(t *testing.T) {
	for pattern, want := range map[string]PartyKind{
		`^system:serviceaccount:a:b`:                                      PartyServiceAccount,
		`^(?:system:serviceaccount:a:b)$`:                                 PartyServiceAccount,
		`^(system:serviceaccount:a:b|system:serviceaccount:c:.*)$`:        PartyServiceAccount,
		`^(system:serviceaccount:a:b|system:serviceaccount-lookalike:c)$`: PartyUser,
		`^system:serviceaccount:tea|b:sa1`:                                PartyUser,
		`system:serviceaccount:a:b`:                                       PartyUser,
		`(?m)^system:serviceaccount:a`:                                    PartyUser,
		`(?i)^system:serviceaccount:a`:                                    PartyUser,
		`^system:serviceaccount:?a`:                                       PartyUser,
		`(`:                                                               PartyUser,
		``:                                                                PartyUser,
	} {
		if got := userKind(MatchRegex, pattern); got != want {
			t.Errorf("%s: %s, want %s", pattern, got, want)
		}
	}
}
