package downscaler

import (
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Check says whether the downscaler can use a value of an annotation on an object of a kind. It
// returns nil if it can, and a *Problem if not. The key may lack the prefix; a key that the
// downscaler doesn't read is never a problem here (see Known).
//
// The kind is the object's own, Namespace's for a namespace. It matters to the replicas annotations
// only. For a kind that the downscaler doesn't scale, and for the zero value, what is written is
// judged by itself.
//
// The forms, by the downscaler's source in internal/pkg/values/ and internal/pkg/util/:
//
//   - Timespans (timespan.go): a comma-separated list, spaces around an item ignored, none empty.
//     An item is relative, [Mon-Fri ]08:00-20:00[ Europe/Berlin], the weekdays in either case, the
//     hours from 00 to 24; absolute, T1-T2 with any spaces around the hyphen; directional, from T or
//     until T in lower case, a hyphen allowed between; or always, true, never, false in either case.
//   - Time (scopeParser.go): one RFC 3339 time without spaces around it.
//   - Replicas (replicas.go): a whole number, -1 the only negative one, a percentage from 0% to 100%,
//     true or false, or letters. Which of them are of use depends on the kind.
//   - Duration (durationValue.go): whole seconds or what time.ParseDuration reads, either sign.
//   - Boolean (triStateBool.go): what strconv.ParseBool reads. The exclude annotation is not one of
//     these but a timespan, so that its 1, 0, t and f are refused.
func Check(key, value string, kind schema.GroupKind) error {
	a, known := annotationOf(key)
	onNamespace := kind == Namespace.GroupKind()
	if !known || (onNamespace && !a.OnNamespace) {
		return nil
	}
	f, effect := judge(a, value, kind)
	if f == nil {
		return nil
	}
	return &Problem{Key: a.Key, At: f.at, Text: f.text, Nearest: repair(a, value, kind), Effect: effect}
}

// judge finds the fault in a value, nil if there is none, and what the downscaler does about it.
func judge(a Annotation, value string, kind schema.GroupKind) (*fault, Effect) {
	effect := UnusableOn(kind)
	if a.Key == UpscaleExcluded {
		effect = EventOnly
	}
	var f *fault
	switch a.Form {
	case Timespans:
		_, f = parseSpans(value)
	case Time:
		_, f = parseTime(value)
	case Duration:
		f = durationFault(value)
	case Boolean:
		f = booleanFault(value)
	case Replicas:
		return replicasFault(a.Key, value, kind)
	}
	return f, effect
}

// parseTime reads one RFC 3339 time as the downscaler does: with time.Parse, which is laxer than the
// RFC in a few places, and with nothing trimmed.
func parseTime(s string) (time.Time, *fault) {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}, timeFault(s)
	}
	return t, nil
}

func booleanFault(s string) *fault {
	if _, err := strconv.ParseBool(s); err != nil {
		return faultAt(0, "%s is not a boolean: write true or false", quoted(s))
	}
	return nil
}

// durationFault finds what keeps a value from being whole seconds or a Go duration.
func durationFault(s string) *fault {
	if _, err := strconv.Atoi(s); err == nil {
		return nil
	}
	if _, err := time.ParseDuration(s); err == nil {
		return nil
	}
	if s == "" {
		return faultAt(0, "the duration is empty")
	}
	at := 0
	if s[0] == '-' || s[0] == '+' {
		at = 1
	}
	for at < len(s) {
		number := at + len(s[at:]) - len(strings.TrimLeft(s[at:], "0123456789."))
		if number == at {
			return faultAt(at, "a number is expected at %s", quoted(s[at:]))
		}
		end := len(s)
		if next := strings.IndexAny(s[number:], "0123456789.+-"); next >= 0 {
			end = number + next
		}
		if _, err := time.ParseDuration("1" + s[number:end]); err != nil || number == end {
			return faultAt(number, "a unit is expected behind %s: h, m, s or ms", quoted(s[at:number]))
		}
		if _, err := time.ParseDuration(s[at:end]); err != nil {
			return faultAt(at, "%s is not a number of a duration", quoted(s[at:number]))
		}
		at = end
	}
	return faultAt(0, "%s is not a duration that can be held", quoted(s))
}
