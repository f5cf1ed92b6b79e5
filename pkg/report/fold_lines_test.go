package report

import "testing"

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"":                                      "",
		"one - line":                            "one - line",
		"a\nb":                                  "a; b",
		"conflicts:\n- .a\n- .b\r\nmore:\n- .c": "conflicts: .a; .b; more: .c",
		"\n\n- a\n\n  - b\n":                    "a; b",
		"-1\n-2":                                "-1; -2",
	} {
		if got := oneLine(in); got != want {
			t.Errorf("oneLine(%q) = %q, want %q", in, got, want)
		}
	}
}
