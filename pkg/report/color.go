package report

// color is a terminal's escape sequence for a colour.
type color string

// The colours, of the basic eight so that every terminal's own theme applies.
const (
	red     color = "\x1b[31m"
	green   color = "\x1b[32m"
	yellow  color = "\x1b[33m"
	magenta color = "\x1b[35m"
	plain   color = ""
)

const colorReset = "\x1b[0m"

// paint colours a text where the options allow it.
func (o Options) paint(c color, text string) string {
	if !o.Color || c == plain {
		return text
	}
	return string(c) + text + colorReset
}
