package policy

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

// requesters are who the cases' conditions tell apart.
func requesters() []map[string]any {
	var all []map[string]any
	for _, name := range []string{"dev", "ops", "a", "b", "ax", "user1", "xuser1", "a.b", "aXb", "team-ops", "system:serviceaccount:a:b", "system:serviceaccount:ci:deployer", "xsystem:serviceaccount:ci:x"} {
		for _, groups := range [][]string{nil, {}, {"devs"}, {"a"}, {"b", "ops-1"}, {"xdevs", "d"}, {"system:authenticated"}} {
			info := map[string]any{"username": name}
			if groups != nil {
				info["groups"] = groups
			}
			all = append(all, info)
		}
	}
	return all
}

// passes says by itself whether a requester passes a test.
func (t Test) passes(info map[string]any) bool {
	names := []string{info["username"].(string)}
	if t.Kind == PartyGroup {
		names, _ = info["groups"].([]string)
		if _, there := info["groups"]; t.Match == MatchPresent {
			return there != t.Negated
		}
	}
	meets := slices.ContainsFunc(names, func(name string) bool {
		switch t.Match {
		case MatchEquals:
			return name == t.Text
		case MatchRegex:
			return regexp.MustCompile(t.Text).MatchString(name)
		case MatchPrefix:
			return strings.HasPrefix(name, t.Text)
		case MatchSuffix:
			return strings.HasSuffix(name, t.Text)
		case MatchContains:
			return strings.Contains(name, t.Text)
		}
		return true
	})
	return meets != t.Negated
}

// TestPartiesAreThoseLetThrough evaluates each condition, in the API server's CEL, for many requesters: it is false for every party that has no
// further condition and, where everything is understood, for nobody else.
func TestPartiesAreThoseLetThrough(t *testing.T) {
	env := evaluationEnv(t)
	evaluated := 0
	for _, c := range conditionCases {
		compiled, issues := env.Compile(c.condition)
		if issues.Err() != nil {
			continue // some of the cases are not meant to compile
		}
		program, err := env.Program(compiled)
		if err != nil {
			t.Fatal(err)
		}
		p := &admissionregistrationv1.ValidatingAdmissionPolicy{}
		p.Spec.MatchConditions = []admissionregistrationv1.MatchCondition{{Name: "c", Expression: c.condition}}
		found := PartiesOf(p)
		for _, info := range requesters() {
			result, _, err := program.Eval(map[string]any{
				"request": map[string]any{"userInfo": maps.Clone(info), "operation": "CREATE"},
				"object":  map[string]any{"metadata": map[string]any{"annotations": map[string]string{"downscaler/exclude": "true"}}},
			})
			if err != nil {
				continue // such as where the requester has no groups
			}
			evaluated++
			isParty, mayBe := false, len(found.Expressions) > 0
			for _, party := range found.Named {
				passes := !slices.ContainsFunc(party.Tests, func(one Test) bool { return !one.passes(info) })
				isParty = isParty || passes && len(party.When) == 0
				mayBe = mayBe || passes
			}
			if letThrough := result == types.False; isParty && !letThrough || letThrough && !isParty && !mayBe {
				t.Errorf("%s is %v for %v, and the parties are %+v", c.condition, result, info, found.Named)
			}
		}
	}
	if evaluated < 2000 {
		t.Errorf("only %d evaluations", evaluated)
	}
}

func evaluationEnv(t *testing.T) *cel.Env {
	t.Helper()
	base, err := languageOf("").stored().Env(compiles)
	if err != nil {
		t.Fatal(err)
	}
	env, err := base.Extend(cel.Variable("request", cel.DynType), cel.Variable("object", cel.DynType))
	if err != nil {
		t.Fatal(err)
	}
	return env
}
