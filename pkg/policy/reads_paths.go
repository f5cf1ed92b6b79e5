package policy

import (
	"maps"
	"slices"
	"strings"

	celast "github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
)

// anyElement stands in a path for the elements of a list, and for the keys and values of a map.
const anyElement = "*"

// readNames are the paths that names which a macro declares stand for; nil for what has no path.
type readNames map[string][]string

// readPaths finds the paths that expressions read.
type readPaths struct {
	variables map[string]celast.Expr
	known     map[string][]string // of the variables
	abouts    map[string]about
}

// about is what an expression is about: who asks, what the writer chooses, and what else there is in the object and in the request.
type about struct{ requester, chosen, fixed bool }

func (a about) or(b about) about {
	return about{a.requester || b.requester, a.chosen || b.chosen, a.fixed || b.fixed}
}

func newReadPaths(variables []admissionregistrationv1.Variable) readPaths {
	p := readPaths{variables: map[string]celast.Expr{}, known: map[string][]string{}, abouts: map[string]about{}}
	for _, v := range variables {
		if e, err := parseUnexpanded(v.Expression); err == nil && p.variables[v.Name] == nil {
			p.known[v.Name], p.abouts[v.Name] = p.of(e, nil), p.about(e, nil)
			p.variables[v.Name] = e // which those behind it may use
		}
	}
	return p
}

// of is the path that an expression stands for, beginning with object, oldObject, request or namespaceObject; nil if it stands for none.
func (p readPaths) of(e celast.Expr, names readNames) []string {
	if name, isVariable := variableName(e); isVariable {
		return p.known[name]
	}
	if operand, field, selects := selection(scoped{expr: e}); selects {
		return longer(p.of(operand.expr, names), field)
	}
	switch e.Kind() {
	case celast.IdentKind:
		if path, declared := names[e.AsIdent()]; declared {
			return path
		}
		switch e.AsIdent() {
		case plugincel.ObjectVarName, plugincel.OldObjectVarName, plugincel.RequestVarName, plugincel.NamespaceVarName:
			return []string{e.AsIdent()}
		}
	case celast.SelectKind: // a has that was written as the parser has it
		return longer(p.of(e.AsSelect().Operand(), names), e.AsSelect().FieldName())
	case celast.CallKind:
		return p.ofCall(e.AsCall(), names)
	}
	return nil
}

func (p readPaths) ofCall(call celast.CallExpr, names readNames) []string {
	switch call.FunctionName() {
	case "orValue", "value", "or", "filter":
		if call.IsMemberFunction() {
			return p.of(call.Target(), names)
		}
	case "dyn", "string", "optional.of", "lowerAscii":
		if !call.IsMemberFunction() && len(call.Args()) == 1 {
			return p.of(call.Args()[0], names)
		}
		if call.IsMemberFunction() {
			return p.of(call.Target(), names)
		}
	case operators.Index, operators.OptIndex:
		return longer(p.of(call.Args()[0], names), anyElement)
	case operators.Conditional:
		if path := p.of(call.Args()[1], names); path != nil {
			return path
		}
		return p.of(call.Args()[2], names)
	}
	return nil
}

func longer(path []string, by string) []string {
	if path == nil {
		return nil
	}
	return append(slices.Clone(path), by)
}

// declare adds the names that a macro declares for its last argument.
func (p readPaths) declare(e celast.Expr, names readNames) readNames {
	if e.Kind() != celast.CallKind || !e.AsCall().IsMemberFunction() {
		return names
	}
	call := e.AsCall()
	args := call.Args()
	if call.FunctionName() == "bind" && len(args) == 3 && args[0].Kind() == celast.IdentKind {
		return names.with(args[0].AsIdent(), p.of(args[1], names))
	}
	target := longer(p.of(call.Target(), names), anyElement)
	for _, as := range args[:max(len(args)-1, 0)] {
		if as.Kind() == celast.IdentKind {
			names = names.with(as.AsIdent(), target)
		}
	}
	return names
}

func (n readNames) with(name string, path []string) readNames {
	n = maps.Clone(n)
	if n == nil {
		n = readNames{}
	}
	n[name] = path
	return n
}

// keyIn takes "key" in map apart.
func (p readPaths) keyIn(e celast.Expr, names readNames) (path []string, key string, is bool) {
	if e.Kind() != celast.CallKind || e.AsCall().FunctionName() != operators.In {
		return nil, "", false
	}
	key, isText := literalText(e.AsCall().Args()[0])
	path = p.of(e.AsCall().Args()[1], names)
	if len(path) < 2 || path[len(path)-1] != "labels" && path[len(path)-1] != "annotations" {
		return nil, "", false
	}
	return path, key, isText
}

// about looks at everything in an expression.
func (p readPaths) about(e celast.Expr, names readNames) about {
	var found about
	if name, isVariable := variableName(e); isVariable {
		return p.abouts[name]
	}
	switch path := p.of(e, names); {
	case len(path) > 1 && path[0] == plugincel.RequestVarName && path[1] == "userInfo":
		found.requester = true
	case len(path) > 1 && chosen(path[0], path[1:]):
		found.chosen = true
	case len(path) > 1:
		found.fixed = true
	case e.Kind() == celast.IdentKind:
		found.requester = e.AsIdent() == plugincel.AuthorizerVarName || e.AsIdent() == plugincel.RequestResourceAuthorizerVarName
	}
	names = p.declare(e, names)
	for _, part := range partsOf(e) {
		found = found.or(p.about(part, names))
	}
	return found
}

// variableName is the policy's variable that an expression names.
func variableName(e celast.Expr) (string, bool) {
	operand, field, selects := selection(scoped{expr: e})
	return field, selects && operand.isIdent(plugincel.VariableVarName)
}

// chosen says whether the writer of an object chooses what a path leads to. Of the metadata the API server sets the rest itself, and so it does a request's
// kind, operation and resource.
func chosen(of string, path []string) bool {
	switch of {
	case plugincel.RequestVarName:
		return path[0] == "name" || path[0] == "options"
	case plugincel.NamespaceVarName:
		return len(path) > 1 && path[0] == "metadata" && (path[1] == "labels" || path[1] == "annotations")
	}
	switch path[0] {
	case "apiVersion", "kind":
		return false
	case "metadata":
		if len(path) == 1 {
			return false
		}
	default:
		return true
	}
	switch path[1] {
	case "uid", "creationTimestamp", "generation", "selfLink", "namespace", "resourceVersion":
		return false
	case "annotations":
		return len(path) == 2 || !strings.HasPrefix(path[2], downscaler.Prefix)
	}
	return true
}
