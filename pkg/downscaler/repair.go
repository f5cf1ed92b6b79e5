package downscaler

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// longestRepair bounds the values that a nearest valid one is looked for.
const longestRepair = 500

// repair gives the valid value nearest to an invalid one of an annotation, or "".
func repair(a Annotation, value string, kind schema.GroupKind) string {
	if len(value) > longestRepair {
		return ""
	}
	if a.Form == Timespans {
		return repairSpans(value)
	}
	bare := strings.Trim(value, " \t\r\n\"'")
	for _, candidate := range candidates(a.Form, bare) {
		if candidate == "" {
			continue
		}
		if f, _ := judge(a, candidate, kind); f == nil {
			return candidate
		}
	}
	return ""
}

// candidates lists what a value without quotes and spaces around it may stand for, the likelier first.
func candidates(form Form, bare string) []string {
	switch form {
	case Time:
		return []string{repairTime(bare)}
	case Duration:
		return []string{repairDuration(bare)}
	case Boolean:
		return []string{repairTruth(bare)}
	case Replicas:
		return []string{strings.ReplaceAll(bare, " ", ""), strings.TrimSuffix(bare, ".0")}
	case Timespans:
	}
	return nil
}

var truths = map[string]string{
	"true": "true", "yes": "true", "y": "true", "on": "true", "1": "true", "t": "true", "enabled": "true",
	"false": "false", "no": "false", "n": "false", "off": "false", "0": "false", "f": "false", "disabled": "false",
}

// repairTruth gives true or false for the usual words for them, or "".
func repairTruth(s string) string { return truths[strings.ToLower(s)] }

// unitNames find the words that people write for the units, longer ones first.
var unitNames = []struct {
	word *regexp.Regexp
	unit string
}{
	{regexp.MustCompile(`milliseconds?|msecs?`), "ms"},
	{regexp.MustCompile(`hours?|hrs?`), "h"},
	{regexp.MustCompile(`minutes?|mins?`), "m"},
	{regexp.MustCompile(`seconds?|secs?`), "s"},
}

var wholeDays = regexp.MustCompile(`^(\d{1,4})d(?:ays?)?$`)

func repairDuration(s string) string {
	s = strings.ToLower(strings.Join(strings.Fields(s), ""))
	if part := wholeDays.FindStringSubmatch(s); part != nil {
		days, _ := strconv.Atoi(part[1])
		return fmt.Sprintf("%dh", 24*days)
	}
	for _, u := range unitNames {
		s = u.word.ReplaceAllString(s, u.unit)
	}
	return s
}

var (
	looseTime   = regexp.MustCompile(`(?i)^(\d{4}-\d{2}-\d{2})(?:[t ]+(\d{2}:\d{2})(:\d{2}(?:[.,]\d+)?)?)?\s*(z|utc|[+-]\d{2}:?\d{2})?$`)
	shortOffset = regexp.MustCompile(`^([+-]\d{2})(\d{2})$`)
)

// repairTime completes a time: the T, the seconds, midnight, UTC where there is no zone. "" if it
// can't.
func repairTime(s string) string {
	part := looseTime.FindStringSubmatch(s)
	if part == nil {
		return ""
	}
	date, clock, seconds, zone := part[1], part[2], strings.Replace(part[3], ",", ".", 1), strings.ToUpper(part[4])
	if clock == "" {
		clock = "00:00"
	}
	if seconds == "" {
		seconds = ":00"
	}
	if zone == "" || zone == "UTC" {
		zone = "Z"
	}
	whole := date + "T" + clock + seconds + shortOffset.ReplaceAllString(zone, "$1:$2")
	if _, err := time.Parse(time.RFC3339, whole); err != nil {
		return ""
	}
	return whole
}
