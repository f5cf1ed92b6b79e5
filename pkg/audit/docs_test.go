package audit

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the index of rules anew")

const docs = "../../docs/rules"

// Every rule has a page that says what the table says, and every page a rule.
func TestDocs(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(docs, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	testIndex(t)
	testReleased(t)
	undocumented := map[string]bool{}
	for _, r := range Rules() {
		undocumented[r.ID] = true
		testPage(t, r)
	}
	for _, page := range pages {
		id := strings.TrimSuffix(filepath.Base(page), ".md")
		if id != "README" && !undocumented[id] {
			t.Errorf("%s: there is no such rule", page)
		}
	}
}

// testIndex compares the page that lists all rules, whose table is made of them. Run with -update to write it anew.
func testIndex(t *testing.T) {
	t.Helper()
	path := filepath.Join(docs, "README.md")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const head = "| rule | severity | what is wrong |\n|---|---|---|\n"
	before, rest, found := strings.Cut(string(content), head)
	if !found {
		t.Fatalf("%s has no table of rules", path)
	}
	table, after, more := strings.Cut(rest, "\n\n") // another test writes what is behind it
	if more {
		table, after = table+"\n", "\n"+after
	}
	var rows strings.Builder
	sorted := slices.SortedFunc(slices.Values(Rules()), func(a, b Rule) int { return strings.Compare(a.ID, b.ID) })
	for _, r := range sorted {
		fmt.Fprintf(&rows, "| [%s](%s.md) | %s | %s |\n", r.ID, r.ID, r.Severity, r.Title)
	}
	switch {
	case table == rows.String():
	case *update:
		if err := os.WriteFile(path, []byte(before+head+rows.String()+after), 0o600); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s does not list the rules as they are; run with -update", path)
	}
}

func testPage(t *testing.T, r Rule) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(docs, r.ID+".md"))
	if err != nil {
		t.Error(err)
		return
	}
	text := string(content)
	testEmbedded(t, r.ID, text)
	for _, part := range []string{
		fmt.Sprintf("# %s\n\n%s. Severity: **%s**", r.ID, r.Title, r.Severity),
		"\n## What it means\n", "\n## Example\n", "\n## How to repeat it\n", "\n## How to close it\n",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("docs/rules/%s.md lacks %q", r.ID, part)
		}
	}
}

func TestRulesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules() {
		if seen[r.ID] || r.ID == "" || r.Title == "" || r.Severity == "" {
			t.Errorf("%+v", r)
		}
		seen[r.ID] = true
	}
}
