package findings

import (
	"fmt"
	"slices"
	"strings"
)

// walking is the guard with some matchConditions before its own that walk all annotations. What they ask of each is costly, so that it takes a thousand, and
// no more than a second.
func walking(g guard) string {
	costly := fmt.Sprintf("!object.metadata.?annotations.orValue({}).exists(k, %q.contains(k))", strings.Repeat("x", 10_000))
	var conditions strings.Builder
	for i := range 3 {
		fmt.Fprintf(&conditions, "  - {name: walks-%d, expression: %q}\n", i, costly)
	}
	return strings.Replace(g.String(), "  matchConditions:\n", "  matchConditions:\n"+conditions.String(), 1)
}

// Further annotations exhaust the budget of the matchConditions.
var budgetSituations = []situation{{
	rule: "cel-budget", subject: "guard spec.matchConditions", says: " further ones",
	leak: "Adding an annotation together with 1,000 others", mend: "`failurePolicy: Fail`",
	open: walking(guard{failure: "Ignore"}), closed: walking(guard{failure: "Fail"}), ask: withOthers(addition),
}}

func withOthers(ask []string) []string {
	all := slices.Clone(ask)
	for i := range 1_000 {
		all = append(all, fmt.Sprintf("--set=j/%d=", i+1))
	}
	return all
}
