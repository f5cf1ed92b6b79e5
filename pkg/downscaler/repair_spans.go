package downscaler

import (
	"regexp"
	"strings"
	"time"
)

// repairSpans gives the valid list of timespans nearest to a value, or "" if one of its timespans
// can't be guessed. Those that are valid stay as they are.
func repairSpans(value string) string {
	if len(value) > longestRepair {
		return ""
	}
	var items []string
	for item := range strings.SplitSeq(strings.Trim(value, "\"' \t\r\n"), ",") {
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		if _, f := parseSpan(item); f != nil {
			item = repairSpan(item)
		}
		if item == "" {
			return ""
		}
		items = append(items, item)
	}
	return strings.Join(items, ", ")
}

// repairSpan gives the valid timespan nearest to one, or "".
func repairSpan(s string) string {
	for _, guess := range []func(string) string{repairTruth, repairOpen, repairFixed, repairWeekly} {
		if candidate := guess(s); candidate != "" {
			if _, f := parseSpan(candidate); f == nil {
				return candidate
			}
		}
	}
	return ""
}

var looseOpen = regexp.MustCompile(`(?i)^(from|since|after|until|till|to|before)\b[\s:-]*(.+)$`)

func repairOpen(s string) string {
	part := looseOpen.FindStringSubmatch(s)
	if part == nil {
		return ""
	}
	t := repairTime(part[2])
	if t == "" {
		return ""
	}
	switch strings.ToLower(part[1]) {
	case "from", "since", "after":
		return "from " + t
	}
	return "until " + t
}

// repairFixed tries every hyphen as the one between two times.
func repairFixed(s string) string {
	if !startsWithDate(s) {
		return ""
	}
	s = strings.NewReplacer("–", "-", "—", "-", " to ", " - ").Replace(s)
	for at := range len(s) {
		if s[at] != '-' {
			continue
		}
		from, to := repairTime(strings.TrimSpace(s[:at])), repairTime(strings.TrimSpace(s[at+1:]))
		if from != "" && to != "" {
			return from + " - " + to
		}
	}
	return ""
}

var looseWeekly = regexp.MustCompile(`^(?:([A-Za-z]{3,9})\.?(?:\s*(?:[-–—]|to)\s*([A-Za-z]{3,9})\.?)?:?\s+)?` +
	`(\d{1,2})(?:[:.](\d{2}))?\s*(?:[-–—]|to)\s*(\d{1,2})(?:[:.](\d{2}))?(?::00)?(?:\s+\(?([^()]+)\)?)?$`)

// repairWeekly rewrites weekdays in full or alone, hours of one digit or without minutes, spaces or
// another dash between the times, and a zone that is nearly right.
func repairWeekly(s string) string {
	part := looseWeekly.FindStringSubmatch(s)
	if part == nil {
		return ""
	}
	repaired := twoDigits(part[3]) + ":" + twoDigits(part[4]) + "-" + twoDigits(part[5]) + ":" + twoDigits(part[6])
	if part[1] != "" {
		if part[2] == "" {
			part[2] = part[1]
		}
		first, last := shortDay(part[1]), shortDay(part[2])
		if first == "" || last == "" {
			return ""
		}
		repaired = first + "-" + last + " " + repaired
	}
	if part[7] == "" {
		return repaired
	}
	zone := part[7]
	if zoneNameFault(zone) != nil {
		zone = nearestZone(zone)
	}
	if zone == "" {
		return ""
	}
	return repaired + " " + zone
}

// twoDigits fills up a number of at most two digits.
func twoDigits(s string) string { return strings.Repeat("0", 2-len(s)) + s }

// shortDay gives the three letters for a weekday that is written with three letters or more.
func shortDay(s string) string {
	for d := time.Sunday; d <= time.Saturday; d++ {
		name := d.String()
		if len(s) >= 3 && len(s) <= len(name) && strings.EqualFold(name[:len(s)], s) {
			return name[:3]
		}
	}
	return ""
}
