package report

import "testing"

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"plain text":              "plain text",
		"Müller 世界 🚀 é":           "Müller 世界 🚀 é",
		"\x1b[31mred":             "^[[31mred",
		"a\r\nb\tc":               `a\r\nb\tc`,
		"\x00\x07\x7f":            `\x00\x07\x7f`,
		"\u009b2J":                `\u009b2J`,
		"abc\u202ecba":            `abc\u202ecba`,
		"zero\u200bwidth\u00a0":   `zero\u200bwidth\u00a0`,
		"\u2028\u3164\u2800":      `\u2028\u3164\u2800`,
		"tag\U000e0041":           `tag\U000e0041`,
		"broken\xffutf8\xc3":      `broken\xffutf8\xc3`,
		"replacement\ufffd":       `replacement\ufffd`,
		`back\slash "quoted"`:     `back\slash "quoted"`,
		"Mon-Fri\u00a008:00-20:0": `Mon-Fri\u00a008:00-20:0`,
	} {
		if got := escape(in); got != want {
			t.Errorf("escape(%q) is %s, not %s", in, got, want)
		}
	}
}

func TestQuote(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"true", `"true"`},
		{"", `""`},
		{`a"b\n`, `"a\"b\\n"`},
		{"a\nb", `"a\nb"`},
		{"123456789012", `"1234567890"...`},
		{"世界世界世界世界世界", `"世界世界世界世界世界"`},
	} {
		if got := quote(test.in, 10); got != test.want {
			t.Errorf("quote(%q) is %s, not %s", test.in, got, test.want)
		}
	}
}

func TestEscapeLinesKeepsLayout(t *testing.T) {
	if got := escapeLines("a\tb\n\x1b[2J"); got != "a\tb\n^[[2J" {
		t.Errorf("got %q", got)
	}
}

// Whatever goes in, nothing hidden comes out.
func FuzzEscape(f *testing.F) {
	f.Add(hostile)
	f.Add("\xff\ufffd")
	f.Fuzz(func(t *testing.T, text string) {
		assertHarmless(t, []byte(escape(text)))
		assertHarmless(t, []byte(quote(text, 20)))
	})
}
