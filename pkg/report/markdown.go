package report

import (
	"fmt"
	"regexp"
	"strings"
)

// markdown makes text of data that no Markdown or HTML in it can break out of: what is not visible is written out as in tables, and
// what could be syntax becomes an entity, which has no meaning to either. Nobody is mentioned and nothing becomes a link.
func markdown(data string) string {
	text := escape(data)
	var b strings.Builder
	for i := range len(text) {
		switch c := text[i]; {
		case c == '@':
			b.WriteString("<code>&#64;</code>") // GitHub mentions nobody in code
		case !beginsBlock(text[:i], c) && !beginsLink(text[:i], text[i:]) && (!isPunctuation(c) || strings.IndexByte(",;'()/-.:", c) >= 0):
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "&#%d;", c)
		}
	}
	return b.String()
}

// beginsBlock says whether a character could make a list, a rule or a block of code of a line that begins with the text before it.
func beginsBlock(before string, c byte) bool {
	switch c {
	case ' ', '-':
		return strings.Trim(before, " -") == ""
	case '.', ')':
		return strings.Trim(before, "0123456789") == ""
	}
	return false
}

// emoji is what may be shown as a picture (https://docs.github.com/en/get-started/writing-on-github, "Using emojis").
var emoji = regexp.MustCompile(`^:[A-Za-z0-9_+-]+:`)

// beginsLink says whether the dot or the colon that the rest begins with could make a link or a picture of what stands around it: behind www, before
// // and around a picture's name (https://github.github.com/gfm/#autolinks-extension-). Mentions have no addresses of mail, since @ is in code.
func beginsLink(before, rest string) bool {
	switch rest[0] {
	case '.':
		return strings.HasSuffix(strings.ToLower(before), "www")
	case ':':
		return strings.HasPrefix(rest, ":/") || emoji.MatchString(rest)
	}
	return false
}

func isPunctuation(c byte) bool {
	return c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~'
}

// markdownBlock is a line in a fenced block, for commands that are copied. The fence is longer than any in the line.
func markdownBlock(line string) string {
	text, fence := escape(line), "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + text + "\n" + fence + "\n"
}

// markdownTable is a table of cells that are Markdown already.
func markdownTable(headers []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(headers)
	b.WriteString(strings.Repeat("|---", len(headers)) + "|\n")
	for _, row := range rows {
		line(row)
	}
	return b.String()
}

// folded is a part that opens with a click. The title is Markdown's and the summary's HTML at once.
func folded(title, content string) string {
	return "<details>\n<summary>" + title + "</summary>\n\n" + strings.TrimRight(content, "\n") + "\n\n</details>\n\n"
}
