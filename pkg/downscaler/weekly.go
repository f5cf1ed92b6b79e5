package downscaler

import (
	"strings"
	"time"
)

// weekSpan comes back every week.
type weekSpan struct {
	days     *[2]time.Weekday // first and last; nil for the downscaler's default week frame
	from, to int              // minutes of the day
	zone     string           // "" for the downscaler's default time zone
}

const (
	hour = 60
	day  = 24 * hour
	// blank is the white space that may stand between the parts.
	blank = " \t\n\f\r"
)

var weekdays = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// parseWeekly reads a relative timespan: parseRelativeTimeSpan and parseDayTime in the downscaler's
// internal/pkg/values/timespan.go and dayTime.go.
func parseWeekly(s string) (span, *fault) {
	w := weekSpan{}
	at := 0
	var f *fault
	if s != "" && !digit(s[0]) {
		if w.days, at, f = parseDays(s); f != nil {
			return nil, f
		}
	}
	if w.from, f = parseClock(s, at); f != nil {
		return nil, f
	}
	at += len("00:00")
	if at >= len(s) || s[at] != '-' {
		return nil, faultAt(at, "a hyphen and the second time of day are expected right here")
	}
	at++
	if w.to, f = parseClock(s, at); f != nil {
		return nil, f
	}
	at += len("00:00")
	if at == len(s) {
		return w, nil
	}
	w.zone = strings.TrimLeft(s[at:], blank)
	if len(w.zone) == len(s)-at {
		return nil, faultAt(at, "only a space and a time zone may follow the times")
	}
	return w, zoneNameFault(w.zone).behind(len(s) - len(w.zone))
}

// parseDays reads a range of weekdays and the white space behind it.
func parseDays(s string) (*[2]time.Weekday, int, *fault) {
	first, ok := weekday(s, 0)
	if !ok {
		return nil, 0, faultAt(0, "%s is not the start of a timespan: a weekday, a time, from, until, always or never", quoted(firstWord(s)))
	}
	if len(s) < 4 || s[3] != '-' {
		return nil, 0, faultAt(3, "a weekday is the three letters of a range such as Mon-Fri, or Mon-Mon for one day")
	}
	last, ok := weekday(s, 4)
	if !ok {
		return nil, 0, faultAt(4, "a weekday is expected here: Mon, Tue, Wed, Thu, Fri, Sat or Sun")
	}
	const end = len("Mon-Fri")
	rest := strings.TrimLeft(s[end:], blank)
	if len(rest) == len(s)-end {
		return nil, 0, faultAt(end, "a space and a time of day are expected behind the weekdays")
	}
	return &[2]time.Weekday{first, last}, len(s) - len(rest), nil
}

func weekday(s string, at int) (time.Weekday, bool) {
	if len(s) < at+3 {
		return 0, false
	}
	for i, name := range weekdays {
		if strings.ToLower(s[at:at+3]) == name {
			return time.Weekday(i), true
		}
	}
	return 0, false
}

// parseClock reads a time of day as minutes. The hour 24 takes any minute, as it does there.
func parseClock(s string, at int) (int, *fault) {
	for i, c := range []byte("00:00") {
		switch {
		case at+i >= len(s):
			return 0, faultAt(len(s), "the time of day ends too early: it is written like 08:00")
		case c == ':' && s[at+i] != ':', c == '0' && !digit(s[at+i]):
			return 0, faultAt(at+i, "a time of day has two digits, a colon and two digits, like 08:00")
		}
	}
	hours := int(s[at]-'0')*10 + int(s[at+1]-'0')
	minutes := int(s[at+3]-'0')*10 + int(s[at+4]-'0')
	if hours > 24 {
		return 0, faultAt(at, "the hour goes from 00 to 24")
	}
	if minutes > 59 {
		return 0, faultAt(at+3, "the minute goes from 00 to 59")
	}
	return hours*hour + minutes, nil
}

func firstWord(s string) string {
	if at := strings.IndexAny(s, blank); at > 0 {
		return s[:at]
	}
	return s
}
