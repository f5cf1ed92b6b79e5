package policy

import (
	celast "github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
)

// scoped is an expression with what the names in it stand for.
type scoped struct {
	expr  celast.Expr
	names *name
}

// name is the innermost one that a macro such as exists has declared; expr is nil for each of the requester's groups in turn.
type name struct {
	name  string
	value *scoped
	outer *name
}

func (e scoped) with(expr celast.Expr) scoped { return scoped{expr: expr, names: e.names} }

func (e scoped) declare(as string, value *scoped) scoped {
	return scoped{expr: e.expr, names: &name{name: as, value: value, outer: e.names}}
}

func (e scoped) lookup() (found *name) {
	if e.expr.Kind() != celast.IdentKind {
		return nil
	}
	for n := e.names; n != nil; n = n.outer {
		if n.name == e.expr.AsIdent() {
			return n
		}
	}
	return nil
}

// isIdent says whether the expression is a name that no macro has declared.
func (e scoped) isIdent(ident string) bool {
	return e.expr.Kind() == celast.IdentKind && e.expr.AsIdent() == ident && e.lookup() == nil
}

// resolve replaces a name or one of the policy's variables by what it stands for.
func (w *walk) resolve(e scoped) scoped {
	for {
		if n := e.lookup(); n != nil && n.value != nil {
			e = *n.value
			continue
		}
		field, isVariable := w.variable(e)
		if !isVariable || w.replaced == manyReplaced {
			return e
		}
		w.replaced++
		e = scoped{expr: w.variables[field]}
	}
}

// variable is the policy's variable that an expression is, if it is one.
func (w *walk) variable(e scoped) (field string, isVariable bool) {
	operand, field, selects := selection(e)
	return field, selects && operand.isIdent(plugincel.VariableVarName) && w.variables[field] != nil
}

// selection takes a.b, a.?b and a["b"] apart.
func selection(e scoped) (operand scoped, field string, ok bool) {
	switch e.expr.Kind() {
	case celast.SelectKind:
		return e.with(e.expr.AsSelect().Operand()), e.expr.AsSelect().FieldName(), !e.expr.AsSelect().IsTestOnly()
	case celast.CallKind:
		call := e.expr.AsCall()
		switch call.FunctionName() {
		case operators.Index, operators.OptIndex, operators.OptSelect:
			key, isText := literalText(call.Args()[1])
			return e.with(call.Args()[0]), key, isText
		}
	}
	return e, "", false
}

func literalText(e celast.Expr) (string, bool) {
	if e.Kind() != celast.LiteralKind {
		return "", false
	}
	text, isText := e.AsLiteral().(types.String)
	return string(text), isText
}

// text is the constant that an expression stands for.
func (w *walk) text(e scoped) (string, bool) {
	e = w.resolve(e)
	if e.expr.Kind() != celast.CallKind || e.expr.AsCall().FunctionName() != operators.Add || len(e.expr.AsCall().Args()) != 2 {
		return literalText(e.expr)
	}
	first, ok := w.text(e.with(e.expr.AsCall().Args()[0]))
	second, too := w.text(e.with(e.expr.AsCall().Args()[1]))
	return first + second, ok && too
}

// elements are those of a list that is written out.
func (w *walk) elements(e scoped) ([]scoped, bool) {
	e = w.resolve(e)
	if e.expr.Kind() != celast.ListKind || len(e.expr.AsList().OptionalIndices()) > 0 {
		return nil, false
	}
	var all []scoped
	for _, element := range e.expr.AsList().Elements() {
		all = append(all, e.with(element))
	}
	return all, true
}

// isUserInfo says whether an expression is request.userInfo.
func (w *walk) isUserInfo(e scoped) bool {
	operand, field, selects := selection(w.resolve(e))
	return selects && field == "userInfo" && w.resolve(operand).isIdent(plugincel.RequestVarName)
}

// isField says whether an expression is a field of the requester, also where it stands with a value for its absence.
func (w *walk) isField(e scoped, field string) bool {
	e = w.resolve(e)
	if operand, name, selects := selection(e); selects {
		return name == field && w.isUserInfo(operand) && !isOptional(e) && !isOptional(w.resolve(operand))
	}
	if target, fallback, ok := member(e, "orValue", 1); ok && w.isEmpty(fallback[0]) {
		operand, name, selects := selection(w.resolve(target))
		return selects && name == field && w.isUserInfo(operand)
	}
	return false
}

// isOptional says that what is selected is an optional value and not yet the value.
func isOptional(e scoped) bool {
	return e.expr.Kind() == celast.CallKind && e.expr.AsCall().FunctionName() != operators.Index
}

// isEmpty says whether an expression is a constant without anything in it, which no name and no group is.
func (w *walk) isEmpty(e scoped) bool {
	if text, isText := w.text(e); isText {
		return text == ""
	}
	elements, isList := w.elements(e)
	return isList && len(elements) == 0
}

// member takes a call such as a.f(b) apart.
func member(e scoped, function string, arguments int) (target scoped, args []scoped, ok bool) {
	if e.expr.Kind() != celast.CallKind {
		return e, nil, false
	}
	call := e.expr.AsCall()
	if !call.IsMemberFunction() || call.FunctionName() != function || len(call.Args()) != arguments {
		return e, nil, false
	}
	for _, arg := range call.Args() {
		args = append(args, e.with(arg))
	}
	return e.with(call.Target()), args, true
}
