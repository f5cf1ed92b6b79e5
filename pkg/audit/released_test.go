package audit

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	ruledocs "github.com/downscaler-compliance/kubectl-downscaler-compliance/docs/rules"
)

// released lists the rules that people rely on: baselines, pipelines and code scanning know them by their ids. A line is the id, the severity and
// a hash of the title, which says in a sentence what the rule means.
const released = "testdata/released.txt"

// Part of TestDocs: no rule is gone or means something else than before. With -update new ones are added, and nothing else is changed: whoever
// means to change a rule that no version has been released with takes its line out.
func testReleased(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile(released)
	if err != nil && (!*update || !errors.Is(err, fs.ErrNotExist)) {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, line := range lines {
		id, _, _ := strings.Cut(line, " ")
		r, err := RuleNamed(id)
		switch {
		case line == "":
		case err != nil:
			t.Errorf("the rule %s is gone; an id never changes once released", id)
		case line != releasedLine(r):
			t.Errorf("%s: the rule means something else now: %q; its meaning never changes once released", id, releasedLine(r))
		}
	}
	added := false
	for _, r := range Rules() {
		if slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, r.ID+" ") }) {
			continue
		}
		if added = true; *update {
			lines = append(lines, releasedLine(r))
			continue
		}
		t.Errorf("%s does not list the rule %s; run with -update", released, r.ID)
	}
	if added && *update {
		slices.Sort(lines)
		if err := os.WriteFile(released, []byte(strings.TrimLeft(strings.Join(lines, "\n")+"\n", "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func releasedLine(r Rule) string {
	return fmt.Sprintf("%s %s %x", r.ID, r.Severity, sha256.Sum256([]byte(r.Title)))
}

// What the program prints about a rule is the page of this folder.
func testEmbedded(t *testing.T, id, page string) {
	t.Helper()
	if text, err := ruledocs.Page(id); err != nil || text != page {
		t.Errorf("docs/rules/%s.md is not what the program has: %v", id, err)
	}
}
