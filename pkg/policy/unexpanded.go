package policy

import (
	"fmt"
	"sync"
	"time"

	"github.com/google/cel-go/common"
	celast "github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/parser"
	"k8s.io/apimachinery/pkg/util/cache"
)

// withoutMacros parses expressions and leaves calls such as exists and has as they are written.
var withoutMacros = sync.OnceValue(func() *parser.Parser {
	p, err := parser.NewParser(parser.EnableOptionalSyntax(true), parser.EnableIdentEscapeSyntax(true))
	if err != nil {
		panic(fmt.Sprintf("CEL's parser can't be made: %v", err))
	}
	return p
})

// unexpanded keeps what was parsed: the same expressions are asked about again and again, each time a policy is tried without another one.
var unexpanded = cache.NewLRUExpireCache(1000)

// parseUnexpanded parses an expression as it is written. What it returns is shared and must not be changed.
func parseUnexpanded(expression string) (celast.Expr, error) {
	if known, found := unexpanded.Get(expression); found {
		return known.(celast.Expr), nil
	}
	parsed, errs := withoutMacros().Parse(common.NewTextSource(expression))
	if len(errs.GetErrors()) > 0 {
		return nil, fmt.Errorf("parsing the expression: %s", errs.ToDisplayString())
	}
	unexpanded.Add(expression, parsed.Expr(), time.Hour)
	return parsed.Expr(), nil
}
