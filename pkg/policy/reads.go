package policy

import (
	"slices"

	celast "github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
)

// Reads are what a policy's expressions read of an object that its writer chooses, and the constants that they may compare it with.
type Reads struct {
	Labels, Annotations, Name bool
	// Texts are the constants and the fields of maps, each once, in the order in which they stand there. What is compared with the requester is not among them.
	Texts []string
}

// ReadsOf finds what expressions read. Those that don't parse read nothing.
func ReadsOf(expressions []string) Reads {
	var r Reads
	for _, expression := range expressions {
		if e, err := parseUnexpanded(expression); err == nil {
			r.visit(scoped{expr: e})
		}
	}
	return r
}

func (r *Reads) visit(e scoped) {
	if asksOnly(e.expr) {
		return
	}
	if operand, field, selects := selection(e); selects {
		r.field(operand, field)
		r.visit(operand)
		return
	}
	if text, isText := literalText(e.expr); isText {
		r.text(text)
	}
	for _, part := range partsOf(e.expr) {
		r.visit(e.with(part))
	}
}

// field notes a field of metadata, of its labels and annotations, and of the policy's variables, which may stand for these.
func (r *Reads) field(operand scoped, field string) {
	_, of, selects := selection(operand)
	switch {
	case of == "metadata" && field == "labels":
		r.Labels = true
	case of == "metadata" && field == "annotations":
		r.Annotations = true
	case of == "metadata" && field == "name":
		r.Name = true
	case of == "labels" || of == "annotations" || selects:
		r.text(field)
	}
}

func (r *Reads) text(text string) {
	if !slices.Contains(r.Texts, text) {
		r.Texts = append(r.Texts, text)
	}
}

// asksOnly says whether an expression is a comparison, or a list's macro, that is about the requester: what stands in it is no matter of the object.
func asksOnly(e celast.Expr) bool {
	if e.Kind() == celast.IdentKind {
		return false
	}
	if e.Kind() == celast.CallKind {
		switch e.AsCall().FunctionName() {
		case operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot, operators.Conditional:
			return false
		}
	}
	found := false
	celast.PreOrderVisit(e, celast.NewExprVisitor(func(e celast.Expr) {
		found = found || e.Kind() == celast.IdentKind && e.AsIdent() == plugincel.RequestVarName
	}))
	return found
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
	}
	return nil
}
