package report

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

// What tries to be Markdown or HTML, or to have somebody mentioned.
var breakouts = []string{
	"</details><script>alert(1)</script>", "<!--", "a | b | c", "```", "~~~", "**bold** _it_ `code`", "[x](javascript:alert(1))", "![x](https://x.invalid/p.png)",
	"@org/team", "see https://evil.invalid/x and www.evil.invalid", "<https://evil.invalid>", "# heading", "> quote", "- item", "--- ---", "1. item", "12) item",
	"    code", "+ item", "* * *", "===", "&lt;b&gt;", `\*a\*`, "a\n\n# b", "| --- |", "[^1]: note", ":smile:", "WWW.evil.invalid", "ftp://evil.invalid", "system:100:serviceaccount:x", "::smile::", "$x$", "end\\",
}

var (
	entity = regexp.MustCompile(`&#[0-9]+;`)
	prose  = regexp.MustCompile(`^[A-Za-z0-9 ,;'()/.:-]*$`)
	block  = regexp.MustCompile(`^( |-|[0-9]+[.)])`)
	link   = regexp.MustCompile(`(?i)www\.|:/|:[a-z0-9_+-]+:`)
)

func TestMarkdownBreaksOutOfNothing(t *testing.T) {
	for _, data := range append(breakouts, hostile) {
		text := markdown(data)
		bare := entity.ReplaceAllString(strings.ReplaceAll(text, "<code>&#64;</code>", ""), "")
		naked := strings.Count(text, "&#64;") != strings.Count(text, "<code>&#64;</code>")
		if naked || !prose.MatchString(bare) || link.MatchString(text) || block.MatchString(text) {
			t.Errorf("%q has become %q, which may be more than text", data, text)
		}
		shown := html.UnescapeString(strings.NewReplacer("<code>", "", "</code>", "").Replace(text))
		if shown != escape(data) {
			t.Errorf("%q is shown as %q", data, shown)
		}
	}
}

// A whole comment has no other lines, tags and fences than with harmless data in it.
func TestMarkdownKeepsItsForm(t *testing.T) {
	form := func(data string) string {
		report := auditOf(nil, audit.Finding{
			ID: data, Severity: audit.High, Message: data, Evidence: data, Remedy: data,
			Subject: audit.Subject{Kind: data, Namespace: data, Name: data, Field: data},
		})
		report.Requester.Username, report.Scope = data, audit.Scope{Namespace: data, Selector: data}
		report.Baseline = &audit.Baseline{Gone: []audit.KnownFinding{report.Findings[0].Known()}}
		text := string(printed(t, Audit, "markdown", report, Options{}))
		before, rest, _ := strings.Cut(text, "\n```")
		ticks := len(rest) - len(strings.TrimLeft(rest, "`"))
		fence := "```" + rest[:ticks]
		inside, after, closed := strings.Cut(rest[ticks:], "\n"+fence+"\n")
		if !closed || strings.Count(inside, "\n") != 1 {
			t.Errorf("%q leaves its block:\n%s", data, text)
		}
		var lines []string
		for line := range strings.Lines(before + "\n" + after) {
			line = strings.ReplaceAll(line, "<code>&#64;</code>", "")
			lines = append(lines, regexp.MustCompile(`[^<>|*]+`).ReplaceAllString(line, "x"))
		}
		return strings.Join(lines, "\n")
	}
	want := form("harmless")
	for _, data := range append(breakouts, hostile) {
		if got := form(data); got != want {
			t.Errorf("%q makes\n%s\nof\n%s", data, got, want)
		}
	}
}
