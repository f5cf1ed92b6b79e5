package audit

import (
	"fmt"
	"iter"
	"regexp/syntax"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// openDots are names that have a letter in the place of a dot between two letters or digits, as in ^ops.adm$: unescaped, a dot matches any
// character. One that is repeated, or stands elsewhere, may well be meant so.
func openDots(t policy.Test) iter.Seq[nearMiss] {
	return func(yield func(nearMiss) bool) {
		re := regexpOf(t)
		if re == nil || t.Match != policy.MatchRegex {
			return
		}
		for i := 0; ; i++ {
			parsed, err := syntax.Parse(t.Text, syntax.Perl)
			if err != nil {
				return
			}
			dots := dotsIn(parsed)
			if i >= len(dots) {
				return
			}
			for _, dot := range dots {
				asLiteral(dot.re, '.')
			}
			meant, names := regexpOf(policy.Test{Match: policy.MatchRegex, Text: parsed.String()}), spell(parsed)
			asLiteral(dots[i].re, 'x')
			for at, name := range spell(parsed) {
				if meant != nil && re.MatchString(name) && !meant.MatchString(name) && possible(t.Kind, name) && !yield(dotted(names[at], name)) {
					return
				}
			}
		}
	}
}

// dotted is a name that differs from the one that is meant in one character.
func dotted(meant, name string) nearMiss {
	at := 0
	for at < min(len(meant), len(name)) && meant[at] == name[at] {
		at++
	}
	return nearMiss{name, fmt.Sprintf("its dot behind %q matches any character", meant[:at])}
}

// dot is one that matches any character, and the text that it stands behind.
type dot struct {
	re     *syntax.Regexp
	behind string
}

// dotsIn are the dots between two letters or digits.
func dotsIn(re *syntax.Regexp) []dot {
	var found []dot
	for i, sub := range re.Sub {
		if re.Op != syntax.OpConcat || sub.Op != syntax.OpAnyCharNotNL && sub.Op != syntax.OpAnyChar {
			found = append(found, dotsIn(sub)...)
			continue
		}
		if i == 0 || i == len(re.Sub)-1 || re.Sub[i-1].Op != syntax.OpLiteral || re.Sub[i+1].Op != syntax.OpLiteral {
			continue
		}
		before, behind := re.Sub[i-1].Rune, re.Sub[i+1].Rune
		if isWord(before[len(before)-1]) && isWord(behind[0]) {
			found = append(found, dot{sub, string(before)})
		}
	}
	return found
}

func asLiteral(re *syntax.Regexp, r rune) {
	*re = syntax.Regexp{Op: syntax.OpLiteral, Rune: []rune{r}}
}
