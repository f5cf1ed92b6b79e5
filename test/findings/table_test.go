package findings

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

const (
	tablePath  = "../../docs/rules/README.md"
	tableBegin = "<!-- situations: written by go test ./test/findings -run TestTable -update -->\n"
	tableEnd   = "<!-- end of situations -->\n"
)

// TestTable: every rule has a situation, every situation a rule and a name of its own, and the README lists them.
func TestTable(t *testing.T) {
	tried := map[string]bool{}
	names := map[string]bool{}
	for _, s := range catalogue {
		if _, err := audit.RuleNamed(s.rule); err != nil {
			t.Error(err)
		}
		if s.leak == "" || s.mend == "" || s.ask == nil && s.leaks == nil || names[s.name()] {
			t.Errorf("the situation %s lacks words, a request or a name of its own", s.name())
		}
		tried[s.rule], names[s.name()] = true, true
	}
	for _, r := range audit.Rules() {
		if !tried[r.ID] {
			t.Errorf("no situation shows what the rule %s finds", r.ID)
		}
	}
	content, err := os.ReadFile(tablePath)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(content), tableBegin)
	written, after, ends := strings.Cut(rest, tableEnd)
	if !begins || !ends {
		t.Fatalf("%s has no place for the table, which is between %q and %q", tablePath, tableBegin, tableEnd)
	}
	switch table := tableOf(catalogue); {
	case table == written:
	case *update:
		if err := os.WriteFile(tablePath, []byte(before+tableBegin+table+tableEnd+after), 0o600); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s does not list the situations as they are; run with -update", tablePath)
	}
}

// tableOf lists situations by their names.
func tableOf(situations []situation) string {
	var b strings.Builder
	b.WriteString("| rule | request that shows the leak | what stops it | test |\n|---|---|---|---|\n")
	byName := func(a, b situation) int { return strings.Compare(a.name(), b.name()) }
	for _, s := range slices.SortedFunc(slices.Values(situations), byName) {
		fmt.Fprintf(&b, "| [%s](%s.md) | %s | %s | `%s` |\n", s.rule, s.rule, cell(s.leak), cell(s.mend), s.name())
	}
	return b.String()
}

// cell makes a text one cell of a table in Markdown.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
