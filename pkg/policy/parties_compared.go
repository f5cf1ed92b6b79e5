package policy

import (
	celast "github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// asked finds the terms of an expression that asks about the requester in a form that is understood.
func (w *walk) asked(e scoped, want bool) (terms, bool) {
	if e.expr.Kind() != celast.CallKind {
		return nil, false
	}
	call := e.expr.AsCall()
	args := make([]scoped, 0, len(call.Args())+1)
	if call.IsMemberFunction() {
		args = append(args, e.with(call.Target()))
	}
	for _, arg := range call.Args() {
		args = append(args, e.with(arg))
	}
	switch function := call.FunctionName(); {
	case function == "has" && len(args) == 1:
		return w.present(args[0], want)
	case function == operators.In && len(args) == 2:
		return w.in(args[0], args[1], want)
	case (function == operators.Equals || function == operators.NotEquals) && len(args) == 2:
		want = want == (function == operators.Equals)
		if found, understood := w.compared(args[0], args[1], MatchEquals, want); understood {
			return found, true
		}
		return w.compared(args[1], args[0], MatchEquals, want)
	case matchOf[function] != "" && len(args) == 2:
		return w.compared(args[0], args[1], matchOf[function], want)
	case (function == "exists" || function == "all") && len(args) == 3:
		return w.each(args[0], args[1], args[2], function == "exists", want)
	case function == "bind" && len(args) == 4 && args[0].isIdent("cel") && args[1].expr.Kind() == celast.IdentKind:
		return w.terms(args[3].declare(args[1].expr.AsIdent(), &args[2]), want), true
	}
	return nil, false
}

// matchOf are the functions that compare texts, as methods and otherwise.
var matchOf = map[string]Match{"matches": MatchRegex, "startsWith": MatchPrefix, "endsWith": MatchSuffix, "contains": MatchContains}

// compared are the terms of a comparison of the requester's name, or of a group, with a constant.
func (w *walk) compared(requester, with scoped, match Match, want bool) (terms, bool) {
	text, isConstant := w.text(with)
	if !isConstant {
		return nil, false
	}
	t := Test{Match: match, Text: text, Negated: !want}
	if w.isField(requester, "username") {
		t.Kind = userKind(match, text)
		return terms{{{test: t}}}, true
	}
	if n := w.resolve(requester).lookup(); n != nil {
		t.Kind = PartyGroup
		return terms{{{test: t, of: n}}}, true
	}
	return nil, false
}

// present are the terms of has(request.userInfo.username) and of its groups.
func (w *walk) present(field scoped, want bool) (terms, bool) {
	t := Test{Match: MatchPresent, Negated: !want}
	switch {
	case w.isField(field, "username"):
		t.Kind = PartyUser
	case w.isField(field, "groups"):
		t.Kind = PartyGroup
	default:
		return nil, false
	}
	return terms{{{test: t}}}, true
}

// in are the terms of a name that is in a list, and of a constant that is among the requester's groups.
func (w *walk) in(element, list scoped, want bool) (terms, bool) {
	if text, isConstant := w.text(element); isConstant && w.isField(list, "groups") {
		return terms{{{test: Test{Kind: PartyGroup, Match: MatchEquals, Text: text, Negated: !want}}}}, true
	}
	elements, isList := w.elements(list)
	if !isList {
		return nil, false
	}
	found := none(want)
	for _, one := range elements {
		compared, understood := w.compared(element, one, MatchEquals, want)
		if !understood {
			return nil, false
		}
		found = join(found, compared, want)
	}
	return found, len(found) <= manyTerms
}

// none is where a disjunction of nothing, which is never true, comes out as wanted.
func none(want bool) terms {
	if want {
		return nil
	}
	return terms{term{}}
}

// each are the terms of list.exists(as, predicate) and list.all(as, predicate).
func (w *walk) each(list, as, predicate scoped, exists, want bool) (terms, bool) {
	if as.expr.Kind() != celast.IdentKind {
		return nil, false
	}
	// That all are so is that none is otherwise.
	want = want == exists
	if w.isField(list, "groups") {
		return w.anyGroup(predicate.declare(as.expr.AsIdent(), nil), exists, want)
	}
	elements, isList := w.elements(list)
	if !isList {
		return nil, false
	}
	found := none(want)
	for _, element := range elements {
		found = join(found, w.terms(predicate.declare(as.expr.AsIdent(), &element), want == exists), want)
	}
	return found, len(found) <= manyTerms
}

// anyGroup are the terms of a predicate that some group of the requester's meets, or none does. It must ask one thing of the group: that
// one group is this and that is not the same as that one is this and another that.
func (w *walk) anyGroup(predicate scoped, met, want bool) (terms, bool) {
	some := w.terms(predicate, met)
	for _, t := range some {
		asked := 0
		for i, l := range t {
			if l.of == predicate.names && !l.test.Negated {
				asked++
				t[i].of = nil
			} else if l.of == predicate.names || l.unclear {
				return nil, false
			}
		}
		if asked != 1 || !want && len(t) > 1 {
			return nil, false
		}
	}
	if want {
		return some, true
	}
	nobody := term{}
	for _, t := range some {
		l := t[0]
		l.test.Negated = true
		nobody = append(nobody, l)
	}
	return terms{nobody}, true
}
