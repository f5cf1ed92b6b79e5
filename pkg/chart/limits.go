package chart

import (
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/runtime"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// What an API server takes, besides maxConditions. They were tried on one, see test/e2e.
const (
	// maxPattern is what remains for a pattern of the 100,000 characters of an expression (cel-go's default for its parser).
	maxPattern = 99_000
	// maxObject is what remains for a policy of the 1.5 MiB that etcd takes by default.
	maxObject = 1_400_000
	// maxApplied is what remains for a policy in the annotation in which kubectl apply keeps what it sent: 256 KiB for all annotations.
	maxApplied = 250_000
)

// LimitError says which part of the values makes policies that an API server would not take, or by which it could decide nothing.
type LimitError struct{ Field, Problem string }

func (e *LimitError) Error() string { return e.Field + ": " + e.Problem }

// checkPatterns refuses patterns that are too long for an expression.
func (v *Values) checkPatterns() error {
	for _, p := range v.patterns() {
		if length := max(quotedLength(p.Regex), quotedLength(p.Whole)); length > maxPattern {
			return &LimitError{p.Field, fmt.Sprintf("the pattern has %d characters in an expression, and the API server reads %d in one; make several patterns of it", length, maxPattern)}
		}
	}
	return nil
}

func quotedLength(text string) int { return utf8.RuneCountInString(strconv.Quote(text)) }

// checkHardened refuses patterns that the hardened form can't hold. A requester for whom the conditions cost too much is refused everything, and that must
// be nobody by his name alone, nor by the few groups that everyone is in.
func (v *Values) checkHardened() error {
	for _, p := range v.patterns() {
		if !p.Lost && !compiles(p.Whole) {
			return &LimitError{p.Field, "the pattern nests too deeply to be matched from end to end; write it with fewer brackets"}
		}
	}
	c := v.Compliance
	if cost := costOf(c.Users, longestName) + costOf(c.ServiceAccounts, longestName); cost > costBudget {
		return &LimitError{sectionKey, fmt.Sprintf("the patterns of users and service accounts are so many and so long that matching a name costs up to %d, and the API server allows %d before it refuses every request; put several names into one pattern, or authorise a group",
			cost, costBudget)}
	}
	if groups := v.affordableGroups(); groups < fewGroups {
		return &LimitError{sectionKey + ".authorizedGroupsRegex", fmt.Sprintf("the patterns are so many and so long that the API server can match %d groups of a requester, and refuses every request of those who are in more; write fewer or shorter ones", groups)}
	}
	return nil
}

const (
	// longestName is that of a service account whose namespace and name have 63 characters each.
	longestName = 150
	// groupName is a long name of a group.
	groupName = 64
	// fewGroups are as many as someone is in who is in no particular group.
	fewGroups = 10
	// manyGroups are more than anyone is in.
	manyGroups = 500
	// costBudget leaves something for all else that the conditions do.
	costBudget = celconfig.RuntimeCELCostBudgetMatchConditions * 9 / 10
	callBudget = celconfig.PerCallLimit * 9 / 10
)

// costOf is what CEL counts for matching a text of a length with each of the patterns (cel-go, the overload matches).
func costOf(patterns []Pattern, length int) int {
	cost := 0
	for _, p := range patterns {
		if !p.Lost {
			cost += 3 + (length+10)/10*((len(p.Whole)+3)/4)
		}
	}
	return cost
}

// affordableGroups is in how many groups a requester may be before matching them costs too much.
func (v *Values) affordableGroups() int {
	c := v.Compliance
	left := costBudget - costOf(c.Users, longestName) - costOf(c.ServiceAccounts, longestName)
	affordable := left / max(1, costOf(c.Groups, groupName))
	for _, part := range inParts(c.Groups) {
		affordable = min(affordable, callBudget/max(1, costOf(part, groupName)))
	}
	return affordable
}

// checkSize refuses a policy that can't be stored. large says that kubectl apply can't send it as it usually does.
func checkSize(object runtime.Object) (large bool, err error) {
	text, err := json.Marshal(object)
	if err != nil {
		return false, err
	}
	if len(text) > maxObject {
		return true, &LimitError{sectionKey, fmt.Sprintf("the patterns make a policy of %d bytes, and an API server stores about %d; put several names into one pattern, or authorise a group", len(text), maxObject)}
	}
	return len(text) > maxApplied, nil
}
