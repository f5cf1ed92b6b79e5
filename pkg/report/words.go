package report

import (
	"fmt"
	"strings"
)

// count is a number with its noun: 1 object, 2 objects.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// tally is a list of numbers with their words, those that are zero left out: 1 blocked, 2 unknown.
type tally []string

func (t *tally) add(n int, word string) {
	if n > 0 {
		*t = append(*t, fmt.Sprintf("%d %s", n, word))
	}
}

func (t *tally) String() string { return strings.Join(*t, ", ") }

// firstOf joins the first few of a list and counts the rest.
func firstOf(list []string, few int, separator string) string {
	if len(list) <= few {
		return strings.Join(list, separator)
	}
	return fmt.Sprintf("%s%sand %d more", strings.Join(list[:few], separator), separator, len(list)-few)
}

// indented wraps a text behind a label; the lines after the first stand below the text.
func indented(label, text string, width int) string {
	indent := strings.Repeat(" ", len(label))
	room := width
	if width > 0 {
		room = max(width-len(label), narrowest)
	}
	return label + strings.Join(wrapText(text, room), "\n"+indent) + "\n"
}
