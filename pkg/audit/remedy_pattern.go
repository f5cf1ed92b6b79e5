package audit

import (
	"fmt"
	"regexp/syntax"
	"strconv"
	"strings"
)

// remedyOf writes a pattern with both ends and with its dots escaped. Where a "|" divides the whole of it, what was meant to stand on both sides can't be
// told.
func remedyOf(text string) string {
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return ""
	}
	dots := dotsIn(parsed)
	if parsed.Op == syntax.OpAlternate && strings.ContainsAny(text, "^$:") {
		return `The "|" divides the whole pattern: put the alternatives that belong together into "(?:" and ")", and the whole pattern between "^(?:" and ")$".`
	}
	anchored := text
	if rest, begins := strings.CutPrefix(anchored, "^"); begins {
		anchored = rest
	}
	if rest, ends := strings.CutSuffix(anchored, "$"); ends && !strings.HasSuffix(rest, `\`) {
		anchored = rest
	}
	for _, d := range dots {
		anchored = strings.ReplaceAll(anchored, d.behind+".", d.behind+`\.`)
	}
	meant := "^(?:" + anchored + ")$"
	if _, err := syntax.Parse(meant, syntax.Perl); err != nil {
		meant = "^(?:" + parsed.String() + ")$" // such as of a \Q without its \E, which would quote what follows
	}
	return fmt.Sprintf("Write the pattern with both of its ends: %s; as a constant in CEL that is %s.", meant, strconv.Quote(meant))
}
