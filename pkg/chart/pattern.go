package chart

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
)

// Pattern is a regular expression of the values. The chart puts it, as it is written, into a CEL string with double quotes, and that into a YAML
// string with single ones.
type Pattern struct {
	// Field and Line say where it stands.
	Field string
	Line  int
	// Written is the text of the values, a service account's with what the chart puts before it.
	Written string
	// Regex is what the API server matches with: Written as YAML and CEL read it or, where the chart makes something broken of it, as it was
	// meant. Empty with Lost.
	Regex string
	// Broken says why the API server refuses the policy, or reads something else in it than a pattern; empty where it does not.
	Broken string
	// Escapes says of a broken pattern that what stands behind its quote becomes part of the condition, which is then what decides.
	Escapes bool
	// Whole matches from the beginning to the end of a name what Regex matches anywhere in it.
	Whole string
	// Lost says that it is no regular expression, so that nobody can be meant by it.
	Lost bool
}

// newPattern reads the pattern of a user or a group.
func newPattern(at section, text string) Pattern {
	p := readPattern(at, text)
	p.Whole = whole(p.Regex)
	return p
}

// newServiceAccountPattern reads that of service accounts, which the chart puts together from a namespace's and a name's.
func newServiceAccountPattern(at section, namespace, name string) Pattern {
	const prefix = "system:serviceaccount:"
	p := readPattern(at, "^"+prefix+namespace+":"+name)
	inNamespace, named := readPattern(at, namespace), readPattern(at, name)
	p.Lost = p.Lost || inNamespace.Lost || named.Lost
	p.Whole = whole(prefix + bracketed(withoutEnds(inNamespace.Regex)) + ":" + bracketed(withoutEnds(named.Regex)))
	return p
}

// withoutEnds leaves out a ^ at the beginning and a $ at the end: in the middle of a name they match nothing, and what was meant by them is what the
// pattern's place says anyway.
func withoutEnds(regex string) string {
	parsed, err := syntax.Parse(regex, syntax.Perl)
	if err != nil {
		return regex
	}
	if parsed.Op == syntax.OpAlternate {
		var alternatives []string
		for _, one := range parsed.Sub {
			alternatives = append(alternatives, bracketed(withoutEnds(one.String())))
		}
		return strings.Join(alternatives, "|")
	}
	if parsed.Op != syntax.OpConcat {
		return regex
	}
	parts := parsed.Sub
	if len(parts) > 0 && parts[0].Op == syntax.OpBeginText {
		parts = parts[1:]
	}
	if len(parts) > 0 && parts[len(parts)-1].Op == syntax.OpEndText {
		parts = parts[:len(parts)-1]
	}
	if len(parts) == len(parsed.Sub) {
		return regex
	}
	return (&syntax.Regexp{Op: syntax.OpConcat, Sub: parts, Flags: parsed.Flags}).String()
}

// whole matches from one end to the other what a pattern matches anywhere.
func whole(regex string) string { return "^" + bracketed(regex) + "$" }

// bracketed keeps a pattern's alternatives and flags together. A \Q without \E quotes what follows, the closing bracket too.
func bracketed(regex string) string {
	if closed := "(?:" + regex + ")"; compiles(closed) {
		return closed
	}
	return "(?:" + regex + `\E)`
}

func compiles(regex string) bool {
	_, err := regexp.Compile(regex)
	return err == nil
}

func readPattern(at section, text string) Pattern {
	p := Pattern{Field: at.path, Line: at.line(), Written: text}
	p.Regex, p.Broken, p.Escapes = asDeployed(text)
	if p.Broken != "" {
		p.Regex = text
	}
	if _, err := regexp.Compile(p.Regex); err != nil {
		p.Regex, p.Lost = "", true
		if p.Broken == "" {
			p.Broken = "it is no regular expression: " + strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		}
	}
	return p
}

// asDeployed reads a text as YAML and CEL read it in the chart's policies.
func asDeployed(text string) (regex, broken string, escapes bool) {
	if strings.Contains(strings.ReplaceAll(text, "''", ""), "'") {
		return "", "its single quote ends the YAML string that the chart puts it in", false
	}
	if strings.ContainsAny(text, "\n\r") {
		return "", "it has a line break, and the chart puts it in a string of one line", false
	}
	parsed, issues := celParser().Parse(`matches("` + strings.ReplaceAll(text, "''", "'") + `")`)
	if issues.Err() != nil {
		return "", "CEL does not read it between double quotes: " + firstLine(issues.Err().Error()), false
	}
	if regex, ok := onlyArgument(parsed.NativeRep().Expr()); ok {
		return regex, "", false
	}
	return "", "its double quote ends the CEL string that the chart puts it in, and what follows becomes part of the condition", true
}

// onlyArgument is the text in a call that has just one.
func onlyArgument(e ast.Expr) (string, bool) {
	if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != "matches" || len(e.AsCall().Args()) != 1 {
		return "", false
	}
	argument := e.AsCall().Args()[0]
	if argument.Kind() != ast.LiteralKind {
		return "", false
	}
	text, ok := argument.AsLiteral().(types.String)
	return string(text), ok
}

// celParser reads expressions without knowing any function.
var celParser = sync.OnceValue(func() *cel.Env {
	env, err := cel.NewEnv()
	if err != nil {
		panic(fmt.Sprintf("CEL's own environment can't be made: %v", err))
	}
	return env
})

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
