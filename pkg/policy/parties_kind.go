package policy

import (
	"regexp/syntax"
	"strings"

	"k8s.io/apiserver/pkg/authentication/serviceaccount"
)

// userKind says whether only a service account's name can pass a test of the requester's name.
func userKind(match Match, text string) PartyKind {
	switch match {
	case MatchEquals, MatchPrefix:
	case MatchRegex:
		text = certainPrefix(text)
	default:
		return PartyUser
	}
	if strings.HasPrefix(text, serviceaccount.ServiceAccountUsernamePrefix) {
		return PartyServiceAccount
	}
	return PartyUser
}

// certainPrefix is the text that every name begins with that a regular expression matches.
func certainPrefix(pattern string) string {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil || parsed.Op != syntax.OpConcat || parsed.Sub[0].Op != syntax.OpBeginText {
		return ""
	}
	parsed.Sub = parsed.Sub[1:]
	prefix, _ := leading(parsed)
	return prefix
}

// leading is the text that every match begins with; whole says that it is all of the match.
func leading(re *syntax.Regexp) (prefix string, whole bool) {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 {
			return "", false
		}
		return string(re.Rune), true
	case syntax.OpCapture:
		return leading(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			next, all := leading(sub)
			prefix += next
			if !all {
				return prefix, false
			}
		}
		return prefix, true
	case syntax.OpAlternate:
		prefix, _ = leading(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			next, _ := leading(sub)
			for !strings.HasPrefix(next, prefix) {
				prefix = prefix[:len(prefix)-1]
			}
		}
		return prefix, false
	}
	return "", false
}
