package downscaler

import (
	"strings"
	"time"
)

// span is one timespan of a list: truthSpan, fixedSpan, openSpan or weekSpan.
type span interface{ words() string }

// truthSpan is a timespan that always or never matches.
type truthSpan bool

// fixedSpan goes from one time, inclusive, to another, exclusive.
type fixedSpan struct{ from, to time.Time }

// openSpan has one end only.
type openSpan struct {
	until bool // else from
	at    time.Time
}

// parseSpans reads a list of timespans (timeSpans.Set in the downscaler's
// internal/pkg/values/timespan.go).
func parseSpans(value string) ([]span, *fault) {
	var spans []span
	at := 0
	for item := range strings.SplitSeq(value, ",") {
		trimmed := strings.TrimSpace(item)
		if trimmed == "" {
			return nil, faultAt(at, "%s", emptyItem(value))
		}
		s, f := parseSpan(trimmed)
		if f != nil {
			return nil, f.behind(at + strings.Index(item, trimmed))
		}
		spans = append(spans, s)
		at += len(item) + 1
	}
	return spans, nil
}

func emptyItem(value string) string {
	if strings.Contains(value, ",") {
		return "a timespan is missing beside the comma"
	}
	return "the value is empty: to switch a timespan off, write never"
}

// parseSpan reads one timespan, without spaces around it. The order in which the forms are tried is
// the downscaler's, so that the same value means the same.
func parseSpan(s string) (span, *fault) {
	switch strings.ToLower(s) {
	case "always", "true":
		return truthSpan(true), nil
	case "never", "false":
		return truthSpan(false), nil
	}
	if fixed, ok := parseFixed(s); ok {
		return fixed, nil
	}
	if rest, ok := strings.CutPrefix(s, "from"); ok {
		return parseOpen(s, rest, false)
	}
	if rest, ok := strings.CutPrefix(s, "until"); ok {
		return parseOpen(s, rest, true)
	}
	if startsWithDate(s) {
		return nil, fixedFault(s)
	}
	return parseWeekly(s)
}

// parseOpen reads what stands behind "from" or "until": a time, with or without a hyphen before it.
func parseOpen(s, rest string, until bool) (span, *fault) {
	rest = strings.TrimSpace(rest)
	if behind, ok := strings.CutPrefix(rest, "-"); ok {
		rest = strings.TrimSpace(behind)
	}
	at := len(s) - len(rest)
	if rest == "" {
		return nil, faultAt(at, "a time is missing at the end, such as %s", Time.Example())
	}
	t, f := parseTime(rest)
	if f != nil {
		return nil, f.behind(at)
	}
	return openSpan{until: until, at: t}, nil
}

// parseFixed reads two RFC 3339 times with a hyphen between. Spaces may stand before the hyphen, and
// any white space but a line feed behind it.
func parseFixed(s string) (fixedSpan, bool) {
	first, second, ok := splitFixed(s)
	if !ok {
		return fixedSpan{}, false
	}
	from, err := time.Parse(time.RFC3339, s[:first])
	if err != nil {
		return fixedSpan{}, false
	}
	to, err := time.Parse(time.RFC3339, s[second:])
	return fixedSpan{from: from, to: to}, err == nil
}

// splitFixed gives the end of the first and the start of the second of two times. It looks at the
// first time's zone only: nothing before that can hold a Z, a plus or a further hyphen.
func splitFixed(s string) (first, second int, ok bool) {
	const date = len("2006-01-02")
	if len(s) < date {
		return 0, 0, false
	}
	zone := strings.IndexAny(s[date:], "Z+-")
	if zone < 0 {
		return 0, 0, false
	}
	first = date + zone + len("Z")
	if s[date+zone] != 'Z' {
		first = date + zone + len("+00:00")
	}
	if first >= len(s) {
		return 0, 0, false
	}
	rest, ok := strings.CutPrefix(strings.TrimLeft(s[first:], " "), "-")
	if !ok {
		return first, 0, false
	}
	second = len(s) - len(strings.TrimSpace(rest))
	return first, second, !strings.Contains(s[len(s)-len(rest):second], "\n")
}
