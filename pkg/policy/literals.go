package policy

import (
	"slices"

	celast "github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/parser"
)

// Texts are the constants of an expression that are texts, each once, in the order in which they are evaluated. An expression that does not parse has none.
func Texts(expression string) []string {
	parsed, err := parseUnexpanded(expression)
	if err != nil {
		return nil
	}
	var texts []string
	celast.PostOrderVisit(parsed, celast.NewExprVisitor(func(e celast.Expr) {
		if text, isText := literalText(e); isText && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}))
	return texts
}

// ReplaceText puts another text in the place of each constant of an expression that is this one, so that it can be tried what the expression decides
// without it. replaced says whether there was any.
func ReplaceText(expression, text, other string) (changed string, replaced bool, err error) {
	shared, err := parseUnexpanded(expression)
	if err != nil {
		return "", false, err
	}
	factory := celast.NewExprFactory()
	parsed := factory.CopyExpr(shared)
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
