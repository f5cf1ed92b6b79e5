package policy

import (
	"slices"
	"strings"

	celast "github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
)

// Reads are what a policy's expressions read of an object, or of the request, that its writer chooses, and the constants that they may compare it
// with.
type Reads struct {
	Fields []Field
	// Texts and Numbers are the constants and the keys of maps, each once, in the order in which they stand there. What is only compared with
	// the requester, or with what nobody chooses, is not among them.
	Texts   []string
	Numbers []int64
	// Requester says that such a field may be compared with who asks.
	Requester bool
}

// Field is one that is read, with the first expression that reads it.
type Field struct {
	// Path leads to it from the object or from the request, such as "metadata.labels.team" or "options.fieldManager"; "*" stands for the elements of a list
	// and for keys that are not constants.
	Path string
	// Of is what it is a field of: object, which stands for oldObject too, request or namespaceObject.
	Of         string
	Expression Expression
}

// ReadsOf finds what decides a validating policy: its matchConditions and validations, with the variables that they use.
func ReadsOf(p *admissionregistrationv1.ValidatingAdmissionPolicy) Reads {
	return readsOf(p.Spec.Variables, p.Spec.MatchConditions, validationExpressions(p.Spec.Validations))
}

// MutatingReads finds what decides a mutating policy: its matchConditions and mutations, with the variables that they use.
func MutatingReads(p *admissionregistrationv1.MutatingAdmissionPolicy) Reads {
	return readsOf(p.Spec.Variables, p.Spec.MatchConditions, mutationExpressions(p.Spec.Mutations))
}

// readsOf reads what parses.
func readsOf(variables []admissionregistrationv1.Variable, conditions []admissionregistrationv1.MatchCondition, deciding []Expression) Reads {
	r := &reader{paths: newReadPaths(variables)}
	for _, e := range append(conditionExpressions(conditions), deciding...) {
		if parsed, err := parseUnexpanded(e.Expression); err == nil {
			r.now, r.visited = e, map[string]bool{}
			r.visit(parsed, nil)
		}
	}
	return r.found
}

// reader goes through expressions.
type reader struct {
	paths   readPaths
	found   Reads
	now     Expression
	visited map[string]bool // the variables that the expression uses
}

func (r *reader) visit(e celast.Expr, names readNames) {
	if isTerm(e) {
		about := r.paths.about(e, names)
		if (about.requester || about.fixed) && !about.chosen {
			return
		}
		r.found.Requester = r.found.Requester || about.requester
	}
	path := r.paths.of(e, names)
	if path != nil {
		r.field(path)
	}
	if name, isVariable := variableName(e); isVariable {
		if !r.visited[name] && r.paths.variables[name] != nil {
			r.visited[name] = true
			r.visit(r.paths.variables[name], nil)
		}
		return
	}
	if operand, field, selects := selection(scoped{expr: e}); selects {
		if r.isKey(operand, names) {
			r.text(field)
		}
		if path == nil {
			r.visit(operand.expr, names)
		}
		return
	}
	if e.Kind() == celast.LiteralKind {
		switch value := e.AsLiteral().(type) {
		case types.String:
			r.text(string(value))
		case types.Int:
			r.number(int64(value))
		}
	}
	if path, key, is := r.paths.keyIn(e, names); is {
		r.field(append(slices.Clone(path), key))
	}
	names = r.paths.declare(e, names)
	for _, part := range partsOf(e) {
		r.visit(part, names)
	}
}

// isKey says whether what is selected from an operand may be the key of a map: of one whose keys are free, or of something of which it is not known what it is.
func (r *reader) isKey(operand scoped, names readNames) bool {
	if path := r.paths.of(operand.expr, names); path != nil {
		return slices.Contains([]string{"labels", "annotations", "nodeSelector"}, path[len(path)-1])
	}
	_, _, selects := selection(operand)
	return selects
}

// field notes a path to something that the writer chooses, and not one that leads to it.
func (r *reader) field(path []string) {
	of, rest := path[0], strings.Join(path[1:], ".")
	if of == plugincel.OldObjectVarName {
		of = plugincel.ObjectVarName
	}
	if rest == "" || !chosen(of, path[1:]) {
		return
	}
	for i, f := range r.found.Fields {
		switch {
		case f.Of != of:
		case f.Path == rest, strings.HasPrefix(f.Path, rest+"."):
			return
		case strings.HasPrefix(rest, f.Path+".") && f.Expression == r.now:
			r.found.Fields[i] = Field{Path: rest, Of: of, Expression: r.now}
			return
		}
	}
	r.found.Fields = append(r.found.Fields, Field{Path: rest, Of: of, Expression: r.now})
}

func (r *reader) text(text string) {
	if !slices.Contains(r.found.Texts, text) {
		r.found.Texts = append(r.found.Texts, text)
	}
}

func (r *reader) number(n int64) {
	if !slices.Contains(r.found.Numbers, n) {
		r.found.Numbers = append(r.found.Numbers, n)
	}
}

// isTerm says whether an expression is a comparison, a call or a list's macro, and not what joins these.
func isTerm(e celast.Expr) bool {
	if e.Kind() != celast.CallKind {
		_, isVariable := variableName(e)
		return e.Kind() != celast.IdentKind && !isVariable
	}
	switch e.AsCall().FunctionName() {
	case operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot, operators.Conditional:
		return false
	}
	return true
}

func partsOf(e celast.Expr) []celast.Expr {
	switch e.Kind() {
	case celast.CallKind:
		call := e.AsCall()
		if call.IsMemberFunction() {
			return append([]celast.Expr{call.Target()}, call.Args()...)
		}
		return call.Args()
	case celast.SelectKind:
		return []celast.Expr{e.AsSelect().Operand()}
	case celast.ListKind:
		return e.AsList().Elements()
	case celast.MapKind:
		var parts []celast.Expr
		for _, entry := range e.AsMap().Entries() {
			parts = append(parts, entry.AsMapEntry().Key(), entry.AsMapEntry().Value())
		}
		return parts
	case celast.StructKind:
		var parts []celast.Expr
		for _, field := range e.AsStruct().Fields() {
			parts = append(parts, field.AsStructField().Value())
		}
		return parts
	}
	return nil
}
