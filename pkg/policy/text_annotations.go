package policy

import (
	"strings"

	celast "github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
)

const annotations = "annotations"

// mayReadPrefix says whether an expression may read annotations with the prefix, or write them: where it speaks of annotations in any other way than by naming
// the key of one that has another prefix.
func mayReadPrefix(expression string) bool {
	if !strings.Contains(expression, annotations) {
		return false
	}
	parsed, err := parseUnexpanded(expression)
	if err != nil {
		return true
	}
	k := &otherKeys{}
	k.visit(parsed)
	return k.anything || !k.named
}

// otherKeys goes through an expression. Whether there are annotations at all may be asked beside a key.
type otherKeys struct{ named, anything bool }

func (k *otherKeys) visit(e celast.Expr) {
	if operand, key, selects := selection(scoped{expr: e}); selects {
		if of := annotationsOf(operand.expr); of != nil {
			k.key(key)
			k.visit(of)
			return
		}
		k.anything = k.anything || key == annotations
		k.visit(operand.expr)
		return
	}
	switch e.Kind() {
	case celast.LiteralKind:
		text, _ := literalText(e)
		k.anything = k.anything || strings.Contains(text, annotations)
	case celast.IdentKind:
		k.anything = k.anything || strings.Contains(e.AsIdent(), annotations)
	case celast.StructKind:
		for _, field := range e.AsStruct().Fields() {
			k.anything = k.anything || field.AsStructField().Name() == annotations
		}
	case celast.CallKind:
		if k.call(e.AsCall()) {
			return
		}
	}
	for _, part := range partsOf(e) {
		k.visit(part)
	}
}

// call looks at "key" in annotations and at has(annotations).
func (k *otherKeys) call(call celast.CallExpr) (whole bool) {
	args := call.Args()
	switch {
	case call.FunctionName() == operators.In && len(args) == 2:
		of := annotationsOf(args[1])
		key, isText := literalText(args[0])
		if of == nil || !isText {
			return false
		}
		k.key(key)
		k.visit(of)
		return true
	case call.FunctionName() == "has" && len(args) == 1:
		of := annotationsOf(args[0])
		if of == nil {
			return false
		}
		k.visit(of)
		return true
	}
	return false
}

func (k *otherKeys) key(key string) {
	k.named = true
	k.anything = k.anything || strings.HasPrefix(key, downscaler.Prefix)
}

// annotationsOf is what an expression selects annotations from, also where it says what stands for none; nil where it is anything else.
func annotationsOf(e celast.Expr) celast.Expr {
	if target, _, is := member(scoped{expr: e}, "orValue", 1); is {
		e = target.expr
	}
	if operand, field, selects := selection(scoped{expr: e}); selects && field == annotations {
		return operand.expr
	}
	return nil
}
