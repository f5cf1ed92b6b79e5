package policy

import (
	celast "github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/parser"
)

// ReplaceText puts another text in the place of each constant of an expression that is this one, so that it can be tried what the expression decides
// without it. replaced says whether there was any.
func ReplaceText(expression, text, other string) (changed string, replaced bool, err error) {
	parsed, err := parseUnexpanded(expression)
	if err != nil {
		return "", false, err
	}
	factory := celast.NewExprFactory()
	celast.PostOrderVisit(parsed, celast.NewExprVisitor(func(e celast.Expr) {
		if constant, isText := literalText(e); isText && constant == text {
			e.SetKindCase(factory.NewLiteral(e.ID(), types.String(other)))
			replaced = true
		}
	}))
	if !replaced {
		return expression, false, nil
	}
	changed, err = parser.Unparse(parsed, celast.NewSourceInfo(nil), parser.WrapOnColumn(1<<16))
	return changed, true, err
}
