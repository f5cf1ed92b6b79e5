package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// printJSON is the report as its types have it, indented by two spaces.
func printJSON[R any](report R, _ Options) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // CEL is full of && and <
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(report); err != nil {
		return nil, fmt.Errorf("printing JSON: %w", err)
	}
	return escapeJSON(b.Bytes()), nil
}

// escapeJSON writes what is not visible as \u escapes. Beyond ASCII such characters can only stand
// inside strings, so the data stays the same. (The encoder has escaped ASCII's own but for DEL.)
func escapeJSON(data []byte) []byte {
	if !bytes.ContainsFunc(data, hidden) {
		return data
	}
	var b bytes.Buffer
	b.Grow(len(data))
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if hidden(r) {
			b.WriteString(jsonEscape(r))
		} else {
			b.Write(data[:size])
		}
		data = data[size:]
	}
	return b.Bytes()
}

// hidden says whether a character of encoded text needs an escape. Lower ones are the encoder's matter.
func hidden(r rune) bool { return r >= '\x7f' && !visible(r) }

func jsonEscape(r rune) string {
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
