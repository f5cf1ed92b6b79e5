package policy

import (
	"github.com/google/cel-go/cel"
	celast "github.com/google/cel-go/common/ast"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
)

// mentions is the set of variables that an expression mentions, itself or through the policy's own variables;
// request.dryRun stands in it under that name, and a call of size as size().
type mentions map[string]bool

const (
	dryRunField  = "request.dryRun"
	sizeFunction = "size()"
)

// among returns the names that are mentioned.
func (m mentions) among(names []string) []string {
	var found []string
	for _, name := range names {
		if m[name] {
			found = append(found, name)
		}
	}
	return found
}

// mentionFinder finds the mentions of a policy's expressions.
type mentionFinder struct {
	env       *cel.Env
	variables map[string]mentions
}

func newMentionFinder(env *cel.Env) *mentionFinder {
	return &mentionFinder{env: env, variables: map[string]mentions{}}
}

// define remembers the mentions of one of the policy's variables.
func (f *mentionFinder) define(name, expression string) { f.variables[name] = f.find(expression) }

// find returns an expression's mentions; none for one that does not parse, which is never evaluated.
func (f *mentionFinder) find(expression string) mentions {
	found := mentions{}
	parsed, issues := f.env.Parse(expression)
	if issues.Err() != nil {
		return found
	}
	visitor := celast.NewExprVisitor(func(e celast.Expr) { f.visit(e, found) })
	celast.PreOrderVisit(parsed.NativeRep().Expr(), visitor)
	return found
}

func (f *mentionFinder) visit(e celast.Expr, found mentions) {
	switch e.Kind() {
	case celast.IdentKind:
		found[e.AsIdent()] = true
	case celast.CallKind:
		if e.AsCall().FunctionName() == "size" {
			found[sizeFunction] = true
		}
	case celast.SelectKind:
		operand := e.AsSelect().Operand()
		if operand.Kind() != celast.IdentKind {
			return
		}
		switch operand.AsIdent() {
		case plugincel.RequestVarName:
			found[plugincel.RequestVarName+"."+e.AsSelect().FieldName()] = true
		case plugincel.VariableVarName:
			for name := range f.variables[e.AsSelect().FieldName()] {
				found[name] = true
			}
		}
	}
}
