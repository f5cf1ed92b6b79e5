package report

import "strings"

// oneLine makes one line of a message of several: they are joined by semicolons, and what is listed below a colon
// follows it.
func oneLine(message string) string {
	if !strings.ContainsAny(message, "\n\r") {
		return message
	}
	var b strings.Builder
	for _, line := range strings.FieldsFunc(message, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "- "))
		switch {
		case line == "":
			continue
		case b.Len() == 0:
		case strings.HasSuffix(b.String(), ":"):
			b.WriteString(" ")
		default:
			b.WriteString("; ")
		}
		b.WriteString(line)
	}
	return b.String()
}
