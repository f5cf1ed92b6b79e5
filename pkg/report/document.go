package report

import "strings"

// document is a report for people: what it shows, the notes on what is not known, and set off from these by an empty line the summary. It begins
// with the first of them that there is.
func document(notes, summary string, shown ...string) []byte {
	text := strings.Join(shown, "") + notes
	if text != "" {
		text += "\n"
	}
	return []byte(strings.TrimLeft(text+summary, "\n"))
}
