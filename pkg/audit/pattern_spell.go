package audit

import (
	"regexp/syntax"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// manySpellings is how many names are made of one pattern: one for each of its alternatives, as far as that goes.
const manySpellings = 8

// spellings are names that a comparison is meant for: those that its text matches from their beginning to their end.
func spellings(t policy.Test) []string {
	if t.Match != policy.MatchRegex {
		return []string{t.Text}
	}
	parsed, err := syntax.Parse(t.Text, syntax.Perl)
	if err != nil {
		return nil
	}
	return spell(parsed)
}

// spell makes a text of each alternative of a regular expression. What may be repeated stands there once.
func spell(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpNoMatch:
		return nil
	case syntax.OpLiteral:
		return []string{string(re.Rune)}
	case syntax.OpCharClass:
		if len(re.Rune) == 0 {
			return nil
		}
		return []string{string(preferred(re.Rune))}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return []string{"x"}
	case syntax.OpCapture, syntax.OpStar, syntax.OpPlus, syntax.OpQuest:
		return spell(re.Sub[0])
	case syntax.OpRepeat:
		return repeated(spell(re.Sub[0]), max(re.Min, 1))
	case syntax.OpConcat:
		all := []string{""}
		for _, sub := range re.Sub {
			all = joined(all, spell(sub))
		}
		return all
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			all = append(all, spell(sub)...)
		}
		return all[:min(len(all), manySpellings)]
	}
	return []string{""} // anchors and boundaries
}

func repeated(once []string, times int) []string {
	all := once
	for range times - 1 {
		all = joined(all, once)
	}
	return all
}

func joined(firsts, seconds []string) []string {
	var all []string
	for _, first := range firsts {
		for _, second := range seconds {
			if len(all) < manySpellings {
				all = append(all, first+second)
			}
		}
	}
	return all
}

// preferred is a character of a class, a letter or a digit if there is one: names mostly consist of them.
func preferred(ranges []rune) rune {
	for _, r := range "xa0X-" {
		if in(ranges, r) {
			return r
		}
	}
	return ranges[0]
}

func in(ranges []rune, r rune) bool {
	for pair := range slices.Chunk(ranges, 2) {
		if pair[0] <= r && r <= pair[1] {
			return true
		}
	}
	return false
}
