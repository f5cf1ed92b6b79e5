package downscaler

import (
	"strconv"
	"strings"
	"time"
)

// startsWithDate tells a piece which is meant as an absolute time from a time of day.
func startsWithDate(s string) bool {
	return len(s) > 4 && strings.Trim(s[:4], "0123456789") == "" && s[4] == '-'
}

// fixedFault finds the mistake in what starts like two times and isn't.
func fixedFault(s string) *fault {
	first, second, ok := splitFixed(s)
	if !ok {
		first = len(s)
	}
	if _, err := time.Parse(time.RFC3339, s[:first]); err != nil {
		if at := strings.Index(s, " - "); at > 0 {
			first = at // the first time ends here, wherever its zone should have been
		}
		return timeFault(s[:first])
	}
	if !ok || second == len(s) {
		return faultAt(len(s), "a second time is missing: write T1 - T2, from T or until T")
	}
	return timeFault(s[second:]).behind(second)
}

// timeFault finds the mistake in what time.Parse did not take as an RFC 3339 time.
func timeFault(s string) *fault {
	const shape = "0000-00-00T00:00:00"
	if s == "" {
		return faultAt(0, "the time is empty")
	}
	for i := range len(shape) {
		switch {
		case i >= len(s):
			return faultAt(len(s), "the time ends too early: it needs a date, a time of day and a zone")
		case shape[i] == '0' && !digit(s[i]):
			return faultAt(i, "a digit is expected here, as in %s", Time.Example())
		case shape[i] != '0' && s[i] != shape[i]:
			return faultAt(i, "%q is expected here, as in %s", shape[i:i+1], Time.Example())
		}
	}
	if f := zoneFault(s, len(shape)); f != nil {
		return f
	}
	return rangeFault(s)
}

// zoneFault looks at what stands behind the seconds: a fraction, and then Z or an offset.
func zoneFault(s string, at int) *fault {
	if at < len(s) && (s[at] == '.' || s[at] == ',') {
		at++
		if at >= len(s) || !digit(s[at]) {
			return faultAt(at, "a digit is expected here")
		}
		for at < len(s) && digit(s[at]) {
			at++
		}
	}
	zone := s[at:]
	switch {
	case zone == "":
		return faultAt(at, "the time has no zone: end it in Z, or in an offset such as +02:00")
	case zone == "Z":
		return nil
	case zone[0] == 'Z':
		return faultAt(at+1, "nothing may follow the Z")
	case zone[0] != '+' && zone[0] != '-':
		return faultAt(at, "Z or an offset such as +02:00 is expected here")
	case len(zone) != len("+00:00") || !digit(zone[1]) || !digit(zone[2]) || zone[3] != ':' || !digit(zone[4]) || !digit(zone[5]):
		return faultAt(at, "an offset is written like +02:00")
	}
	return nil
}

// rangeFault finds the first number that is out of range in a time of the right shape.
func rangeFault(s string) *fault {
	year, _ := strconv.Atoi(s[:4])
	month, _ := strconv.Atoi(s[5:7])
	days := time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
	for _, part := range []struct {
		name      string
		at        int
		low, high int
	}{
		{"month", 5, 1, 12},
		{"day", 8, 1, days},
		{"hour", 11, 0, 23},
		{"minute", 14, 0, 59},
		{"second", 17, 0, 59},
	} {
		if n, _ := strconv.Atoi(s[part.at : part.at+2]); n < part.low || n > part.high {
			return faultAt(part.at, "the %s goes from %02d to %02d here", part.name, part.low, part.high)
		}
	}
	return faultAt(strings.LastIndexAny(s, ".,Z+-"), "the end of the time is out of range")
}

func digit(c byte) bool { return '0' <= c && c <= '9' }
