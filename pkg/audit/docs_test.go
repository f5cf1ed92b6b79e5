package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const docs = "../../docs/rules"

// Every rule has a page that says what the table says, and every page a rule.
func TestDocs(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(docs, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(docs, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	undocumented := map[string]bool{}
	for _, r := range Rules() {
		undocumented[r.ID] = true
		testPage(t, r)
		if row := fmt.Sprintf("| [%s](%s.md) | %s | %s |\n", r.ID, r.ID, r.Severity, r.Title); !strings.Contains(string(index), row) {
			t.Errorf("docs/rules/README.md lacks the row %q", row)
		}
	}
	for _, page := range pages {
		id := strings.TrimSuffix(filepath.Base(page), ".md")
		if id != "README" && !undocumented[id] {
			t.Errorf("%s: there is no such rule", page)
		}
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
