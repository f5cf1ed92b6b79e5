package policy

import (
	celast "github.com/google/cel-go/common/ast"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
)

// asksRequester says whether what an expression comes to may depend on who asks.
func (w *walk) asksRequester(e scoped) bool {
	if n := e.lookup(); n != nil {
		return n.value == nil || w.asksRequester(*n.value) // without a value it is one of the groups
	}
	if field, isVariable := w.variable(e); isVariable {
		return w.asking[field]
	}
	if operand, field, selects := selection(e); selects && w.resolve(operand).isIdent(plugincel.RequestVarName) {
		return field == "userInfo"
	}
	switch e.expr.Kind() {
	case celast.IdentKind:
		// All of the request, of the variables or of the authorizer, whatever is done with it; a variable that is known was resolved.
		return e.isIdent(plugincel.RequestVarName) || e.isIdent(plugincel.VariableVarName) || e.isIdent(plugincel.AuthorizerVarName) ||
			e.isIdent(plugincel.RequestResourceAuthorizerVarName)
	case celast.CallKind:
		call := e.expr.AsCall()
		if call.IsMemberFunction() && w.asksRequester(e.with(call.Target())) {
			return true
		}
		return w.anyAsks(e, call.Args())
	case celast.SelectKind:
		return w.asksRequester(e.with(e.expr.AsSelect().Operand()))
	case celast.ListKind:
		return w.anyAsks(e, e.expr.AsList().Elements())
	case celast.MapKind:
		for _, entry := range e.expr.AsMap().Entries() {
			if w.anyAsks(e, []celast.Expr{entry.AsMapEntry().Key(), entry.AsMapEntry().Value()}) {
				return true
			}
		}
	case celast.StructKind:
		for _, field := range e.expr.AsStruct().Fields() {
			if w.asksRequester(e.with(field.AsStructField().Value())) {
				return true
			}
		}
	}
	return false
}

func (w *walk) anyAsks(e scoped, all []celast.Expr) bool {
	for _, one := range all {
		if w.asksRequester(e.with(one)) {
			return true
		}
	}
	return false
}
