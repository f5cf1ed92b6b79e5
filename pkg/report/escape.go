package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"k8s.io/cli-runtime/pkg/printers"
)

// brailleBlank is a symbol that looks like a space.
const brailleBlank = '\u2800'

// visible says whether a person sees a character for what it is. Not visible are controls (of the first
// and the second set), what changes the direction of text, zero-width characters, fillers, tags, and
// every space but the ordinary one.
func visible(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= ' ' && r != '\x7f'
	}
	return unicode.IsPrint(r) && r != brailleBlank && r != utf8.RuneError &&
		!unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// escape makes text from a cluster safe to show: what is not visible is written out, as in \u202e and
// \n. The escape character and carriage returns look as they do in kubectl.
func escape(text string) string {
	if !needsEscape(text) {
		return text
	}
	return escapeExcept(printers.EscapeTerminal(text), "")
}

// escapeLines is escape for text of several lines: line feeds and tabs stay.
func escapeLines(text string) string {
	return escapeExcept(printers.EscapeTerminal(text), "\n\t")
}

func needsEscape(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return !visible(r) })
}

func escapeExcept(text, keep string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case visible(r) || strings.ContainsRune(keep, r):
			b.WriteRune(r)
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		default:
			b.WriteString(escapeRune(r))
		}
	}
	return b.String()
}

func escapeRune(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\t':
		return `\t`
	case r < utf8.RuneSelf:
		return fmt.Sprintf(`\x%02x`, r)
	case r > 0xffff:
		return fmt.Sprintf(`\U%08x`, r)
	default:
		return fmt.Sprintf(`\u%04x`, r)
	}
}

var quoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// quote shows a value in quotation marks, cut after a number of characters.
func quote(value string, limit int) string {
	start, cut := cutRunes(value, limit)
	text := `"` + escape(quoted.Replace(start)) + `"`
	if cut {
		text += "..."
	}
	return text
}

// shorten escapes a text, makes one line of it and cuts it after a number of characters.
func shorten(text string, limit int) string {
	start, cut := cutRunes(oneLine(text), limit)
	if cut {
		return escape(start) + "..."
	}
	return escape(start)
}

func cutRunes(text string, limit int) (string, bool) {
	count := 0
	for i := range text {
		if count == limit {
			return text[:i], true
		}
		count++
	}
	return text, false
}
