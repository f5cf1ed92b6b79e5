package policy

import (
	"slices"

	celast "github.com/google/cel-go/common/ast"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
)

// walk goes through a policy's expressions.
type walk struct {
	variables map[string]celast.Expr
	asking    map[string]bool // whether what a variable comes to may depend on who asks
	replaced  int             // how often a variable was replaced by its expression
	found     Parties
}

// manyReplaced is how often variables are replaced at most: each of them may use the one before it twice.
const manyReplaced = 10_000

func newWalk(variables []admissionregistrationv1.Variable) *walk {
	w := &walk{variables: map[string]celast.Expr{}, asking: map[string]bool{}}
	for _, v := range variables {
		e, err := parseUnexpanded(v.Expression)
		if _, again := w.variables[v.Name]; err == nil && !again && w.defines(e) {
			w.asking[v.Name] = w.asksRequester(scoped{expr: e})
			w.variables[v.Name] = e
		}
	}
	return w
}

// defines says whether an expression uses such variables only as stand before it, so that none leads back to itself.
func (w *walk) defines(e celast.Expr) bool {
	known := true
	celast.PreOrderVisit(e, celast.NewExprVisitor(func(e celast.Expr) {
		operand, field, selects := selection(scoped{expr: e})
		if selects && operand.isIdent(plugincel.VariableVarName) && w.variables[field] == nil {
			known = false
		}
	}))
	return known
}

func (w *walk) conditions(conditions []admissionregistrationv1.MatchCondition) {
	for _, e := range conditionExpressions(conditions) {
		w.add(e, false)
	}
}

// add finds for whom an expression becomes what lets them through.
func (w *walk) add(expression Expression, passes bool) {
	e, err := parseUnexpanded(expression.Expression)
	if err != nil { // it is among the compile errors, and nobody knows what it is meant to ask
		w.found.Expressions = append(w.found.Expressions, expression)
		return
	}
	unclear := false
	w.replaced = 0
	for _, t := range w.terms(scoped{expr: e}, passes) {
		party, about, understood := t.party(expression.Field)
		switch {
		case about && !understood:
			unclear = true
		case about:
			w.found.Named = append(w.found.Named, party)
		}
	}
	if unclear {
		w.found.Expressions = append(w.found.Expressions, expression)
	}
}

func (w *walk) mutation(expression Expression) {
	if e, err := parseUnexpanded(expression.Expression); err != nil || w.asksRequester(scoped{expr: e}) {
		w.found.Expressions = append(w.found.Expressions, expression)
	}
}

// party is whom a conjunction names. about says that it asks about the requester at all, and understood that all of that is clear.
func (t term) party(field string) (party Party, about, understood bool) {
	party, understood = Party{Field: field, When: []string{}}, true
	for _, l := range t {
		switch {
		case l.unclear:
			about, understood = true, false
		case l.expression != "":
			if !slices.Contains(party.When, l.expression) {
				party.When = append(party.When, l.expression)
			}
		case !slices.Contains(party.Tests, l.test):
			party.Tests = append(party.Tests, l.test)
		}
	}
	party.Tests = withoutImplied(party.Tests)
	return party, about || len(party.Tests) > 0, understood
}

// withoutImplied leaves out that there is a name or a group, where another test can't be passed without.
func withoutImplied(tests []Test) []Test {
	return slices.DeleteFunc(tests, func(t Test) bool {
		return t.Match == MatchPresent && !t.Negated && slices.ContainsFunc(tests, func(other Test) bool {
			return other.Match != MatchPresent && !other.Negated && (other.Kind == PartyGroup) == (t.Kind == PartyGroup)
		})
	})
}
