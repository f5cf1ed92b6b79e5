package rules

import (
	"os"
	"strings"
	"testing"
)

func TestPage(t *testing.T) {
	want, err := os.ReadFile("no-policy.md")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Page("no-policy"); err != nil || got != string(want) {
		t.Errorf("%v: %s", err, got)
	}
	for _, id := range []string{"none", "", "../reports", "no-policy.md"} {
		if _, err := Page(id); err == nil || !strings.Contains(err.Error(), "there is no page") {
			t.Errorf("%q: %v", id, err)
		}
	}
}

func TestLinked(t *testing.T) {
	got := Linked("[a](../../examples/hardened/README.md), [b](no-policy.md) and [c](https://example.com/x), f(x)")
	want := "[a](" + repository + "examples/hardened/README.md), [b](" + repository + "docs/rules/no-policy.md) and [c](https://example.com/x), f(x)"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Every link of every page leads to a file that is there.
func TestLinks(t *testing.T) {
	entries, err := pages.ReadDir(".")
	if err != nil || len(entries) == 0 {
		t.Fatal(err)
	}
	for _, entry := range entries {
		text, err := pages.ReadFile(entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, parts := range link.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(parts[1] + parts[2]); err != nil {
				t.Errorf("%s: %v", entry.Name(), err)
			}
		}
	}
}
