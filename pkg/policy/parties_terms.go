package policy

import (
	"slices"

	celast "github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/parser"
)

// terms are ways in which an expression comes out as wanted, each of which is enough: a disjunction of conjunctions. One empty term:
// it always does; none: it never does.
type terms []term

type term []literal

// literal is one thing that has to be so: a test of the requester, or some other expression.
type literal struct {
	test       Test
	of         *name // the name that stands for each of the requester's groups, where that is what is tested
	expression string
	unclear    bool // the expression asks about the requester in a form that is not understood
}

// manyTerms is more ways than anybody reads.
const manyTerms = 1024

// terms finds the ways in which an expression is true, or false.
func (w *walk) terms(e scoped, want bool) terms {
	e = w.resolve(e)
	if !w.asksRequester(e) {
		return w.other(e, want)
	}
	if found, understood := w.combined(e, want); understood {
		return found
	}
	if found, understood := w.asked(e, want); understood {
		return found
	}
	return unclear(e, want)
}

// combined goes on into the operands of logic.
func (w *walk) combined(e scoped, want bool) (terms, bool) {
	if e.expr.Kind() != celast.CallKind {
		return nil, false
	}
	call := e.expr.AsCall()
	args := call.Args()
	switch call.FunctionName() {
	case operators.LogicalNot:
		return w.terms(e.with(args[0]), !want), true
	case operators.LogicalAnd, operators.LogicalOr:
		// a && b is false where one of them is, a || b true where one is.
		either := (call.FunctionName() == operators.LogicalOr) == want
		found := w.terms(e.with(args[0]), want)
		for _, arg := range args[1:] {
			found = join(found, w.terms(e.with(arg), want), either)
		}
		return found, len(found) <= manyTerms
	case operators.Conditional:
		chosen := join(w.terms(e.with(args[0]), true), w.terms(e.with(args[1]), want), false)
		otherwise := join(w.terms(e.with(args[0]), false), w.terms(e.with(args[2]), want), false)
		found := join(chosen, otherwise, true)
		return found, len(found) <= manyTerms
	}
	return nil, false
}

// join is either of two, or both.
func join(a, b terms, either bool) terms {
	if either {
		return slices.Concat(a, b)
	}
	if len(a)*len(b) > manyTerms {
		return make(terms, manyTerms+1)
	}
	var both terms
	for _, one := range a {
		for _, other := range b {
			both = append(both, slices.Concat(one, other))
		}
	}
	return both
}

// other is an expression that does not ask about the requester.
func (w *walk) other(e scoped, want bool) terms {
	if e.expr.Kind() == celast.LiteralKind {
		if value, isBool := e.expr.AsLiteral().(types.Bool); isBool {
			if bool(value) == want {
				return terms{term{}}
			}
			return nil
		}
	}
	return terms{{{expression: textOf(e, want)}}}
}

func unclear(e scoped, want bool) terms {
	return terms{{{expression: textOf(e, want), unclear: true}}}
}

func textOf(e scoped, want bool) string {
	text, err := parser.Unparse(e.expr, celast.NewSourceInfo(nil), parser.WrapOnColumn(1<<16))
	if err != nil {
		text = "an expression"
	}
	if !want {
		return "!(" + text + ")"
	}
	return text
}
