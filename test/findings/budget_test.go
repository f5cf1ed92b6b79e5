package findings

import (
	"fmt"
	"strings"
	"testing"
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

// Further annotations exhaust the budget of the matchConditions. The finding's evidence, which adds them, is run as well.
func TestCELBudget(t *testing.T) {
	ask := []string{"deploy/web", "-n", "NS", "--set", "exclude=true"}
	for i := range 1_000 {
		ask = append(ask, fmt.Sprintf("--set=j/%d=", i+1))
	}
	situation{
		rule: "cel-budget", subject: "guard spec.matchConditions", says: "So 1000 further ones",
		open: walking(guard{failure: "Ignore"}), closed: walking(guard{failure: "Fail"}), ask: ask,
	}.try(t)
}
