package downscaler

import (
	"fmt"
	"strings"
	"time"
)

// Describe says in words what a timespans value means, its timespans divided by semicolons. What the
// value leaves to the downscaler's own defaults is named as such. The error is a *Problem, without a
// key and an effect, exactly where Check has one for a timespans annotation.
func Describe(timespans string) (string, error) {
	spans, f := parseSpans(timespans)
	if f != nil {
		return "", &Problem{At: f.at, Text: f.text, Nearest: repairSpans(timespans)}
	}
	said := make([]string, len(spans))
	for i, s := range spans {
		said[i] = s.words()
	}
	return strings.Join(said, "; "), nil
}

func (s truthSpan) words() string {
	if s {
		return "always"
	}
	return "never"
}

func (s fixedSpan) words() string {
	if !s.to.After(s.from) {
		return fmt.Sprintf("never, since it ends (%s) no later than it starts (%s)", instant(s.to), instant(s.from))
	}
	return fmt.Sprintf("from %s until %s", instant(s.from), instant(s.to))
}

func (s openSpan) words() string {
	if s.until {
		return "until " + instant(s.at)
	}
	return "from " + instant(s.at) + " on"
}

// words follows isTimeOfDayInRange and isWeekdayInRange in the downscaler's timespan.go: a range of
// times whose end is before its start covers both ends of each of its days, not a night.
func (s weekSpan) words() string {
	parts := []string{s.dayWords(), s.timeWords(), s.zoneWords()}
	if parts[1] == "" {
		return "never, since the times of day leave nothing between them"
	}
	return strings.Join(parts, ", ")
}

func (s weekSpan) dayWords() string {
	if s.days == nil {
		return "on the days of the downscaler's default week frame"
	}
	first, last := s.days[0], s.days[1]
	switch (last - first + 7) % 7 {
	case 0:
		return "on " + first.String()
	case 1:
		return fmt.Sprintf("on %s and %s", first, last)
	case 6:
		return "every day"
	}
	return fmt.Sprintf("%s to %s", first, last)
}

// timeWords gives "" for times that never match.
func (s weekSpan) timeWords() string {
	ranges := [][2]int{{s.from, s.to}}
	if s.from > s.to {
		ranges = [][2]int{{0, s.to}, {s.from, day}}
	}
	var said []string
	for _, r := range ranges {
		from, to := min(r[0], day), min(r[1], day)
		switch {
		case from == 0 && to == day:
			return "all day"
		case from < to:
			said = append(said, clock(from)+" to "+clock(to))
		}
	}
	return strings.Join(said, " and ")
}

func (s weekSpan) zoneWords() string {
	switch s.zone {
	case "":
		return "in the downscaler's default time zone"
	case "Local":
		return "in the downscaler's own local time"
	}
	return "in the time zone " + s.zone
}

func clock(minutes int) string { return fmt.Sprintf("%02d:%02d", minutes/hour, minutes%hour) }

// instant writes a time down to the second only where it has seconds.
func instant(t time.Time) string {
	layout := "2006-01-02 15:04"
	if t.Second() != 0 || t.Nanosecond() != 0 {
		layout = "2006-01-02 15:04:05.999999999"
	}
	if _, offset := t.Zone(); offset == 0 {
		return t.Format(layout) + " UTC"
	}
	return t.Format(layout + " UTC-07:00")
}
