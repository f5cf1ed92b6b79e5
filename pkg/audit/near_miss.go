package audit

import (
	"fmt"
	"iter"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"k8s.io/apiserver/pkg/authentication/serviceaccount"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

const serviceAccountPrefix = serviceaccount.ServiceAccountUsernamePrefix

// nearMiss is a name that a pattern matches and that it is not meant for.
type nearMiss struct {
	name string
	// because says what lets it in.
	because string
}

// openEnds are names that have something before or behind what a pattern is meant for. A separator at an end, such as in "ops-" or
// "system:serviceaccount:ci:", says that names go on there: then that end is as it is meant.
func openEnds(t policy.Test) iter.Seq[nearMiss] {
	return func(yield func(nearMiss) bool) {
		re := regexpOf(t)
		if re == nil || t.Match == policy.MatchEquals {
			return
		}
		longest := regexpOf(t)
		longest.Longest()
		for _, name := range spellings(t) {
			for _, made := range longer(name) {
				if re.MatchString(made.name) && !isMeant(t, longest, made.name) && possible(t.Kind, made.name) && !yield(made) {
					return
				}
			}
		}
	}
}

// isMeant says whether a name is one that a comparison is meant for: it matches from its beginning to its end.
func isMeant(t policy.Test, longest *regexp.Regexp, name string) bool {
	if t.Match != policy.MatchRegex {
		return name == t.Text
	}
	at := longest.FindStringIndex(name)
	return len(at) == 2 && at[0] == 0 && at[1] == len(name)
}

// longer are names around a name: longer at both ends, then at one.
func longer(name string) []nearMiss {
	before, behind := additions(name)
	var made []nearMiss
	add := func(front, back, because string) {
		made = append(made, nearMiss{front + name + back, fmt.Sprintf(because, name)})
	}
	for _, front := range before {
		for _, back := range behind {
			add(front, back, "it matches %q also in the middle of a longer name")
		}
	}
	for _, back := range behind {
		add("", back, "it matches %q also where the name goes on behind it")
	}
	for _, front := range before {
		add(front, "", "it matches %q also where the name begins before it")
	}
	return made
}

// additions are what may stand before and behind a name. A service account's name begins with a fixed text and has a namespace and a name in it.
func additions(name string) (before, behind []string) {
	first, _ := utf8.DecodeRuneInString(name)
	last, _ := utf8.DecodeLastRuneInString(name)
	if isWord(last) {
		behind = []string{"x", "-x", ".x", "1"}
		if strings.HasPrefix(name, serviceAccountPrefix) {
			behind = []string{".evil", "x", "-x", "1", "x:default"}
		}
	}
	if isWord(first) && !strings.HasPrefix(name, serviceAccountPrefix) {
		before = []string{"x", "x-", serviceAccountPrefix + "x"}
	}
	return before, behind
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// possible says whether somebody can have a name: one that begins like a service account's is only ever that of one.
func possible(kind policy.PartyKind, name string) bool {
	if kind == policy.PartyGroup || !strings.HasPrefix(name, serviceAccountPrefix) {
		return true
	}
	_, _, err := serviceaccount.SplitUsername(name)
	return err == nil
}
