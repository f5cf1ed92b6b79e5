package inventory

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
)

// redactedBytes is Redacted as it stands in a field that holds base64.
var redactedBytes = base64.StdEncoding.EncodeToString([]byte(Redacted))

// FieldPath writes a path in the grammar of Object's Redacted: a string is a key, an int an index.
func FieldPath(steps ...any) string { return fieldPath(steps).String() }

// HoldsRedacted says whether a value is what a snapshot put in the place of another, or has it within itself: as
// part of a JSON document, or as base64.
func HoldsRedacted(value string) bool {
	return strings.Contains(value, Redacted) || strings.Contains(value, redactedBytes)
}

// RedactedPaths are the paths of all values in an object's content that HoldsRedacted is true of, sorted.
func RedactedPaths(content map[string]any) []string {
	var paths []string
	walkRedacted(content, nil, func(path fieldPath) { paths = append(paths, path.String()) })
	slices.Sort(paths)
	return paths
}

func walkRedacted(value any, path fieldPath, found func(fieldPath)) {
	switch v := value.(type) {
	case map[string]any:
		for key, child := range v {
			walkRedacted(child, extend(path, key), found)
		}
	case []any:
		for i, child := range v {
			walkRedacted(child, extend(path, i), found)
		}
	case string:
		if HoldsRedacted(v) {
			found(path)
		}
	}
}

// MayBe says whether a value may be the one that a snapshot has as redacted. Values that nothing was taken out of
// are compared. Both are as JSON has them.
func MayBe(value, redacted any) bool {
	switch stored := redacted.(type) {
	case map[string]any:
		v, ok := value.(map[string]any)
		return ok && mapMayBe(v, stored)
	case []any:
		v, ok := value.([]any)
		return ok && slices.EqualFunc(v, stored, MayBe)
	case string:
		return textMayBe(value, stored)
	}
	return value == redacted
}

func mapMayBe(value, redacted map[string]any) bool {
	if len(value) != len(redacted) {
		return false
	}
	for key, stored := range redacted {
		if child, found := value[key]; !found || !MayBe(child, stored) {
			return false
		}
	}
	return true
}

func textMayBe(value any, redacted string) bool {
	if !HoldsRedacted(redacted) {
		return value == redacted
	}
	switch v := value.(type) {
	case map[string]any, []any, nil:
		return false
	case string:
		if text := redactText(v); redacted != Redacted && HoldsRedacted(text) {
			return text == redacted
		}
		return around(redacted).MatchString(v)
	}
	return redacted == Redacted
}

// around matches the values that have before, between and behind what was taken out what is still there.
func around(redacted string) *regexp.Regexp {
	kept := strings.Split(strings.ReplaceAll(redacted, redactedBytes, Redacted), Redacted)
	for i, part := range kept {
		kept[i] = regexp.QuoteMeta(part)
	}
	return regexp.MustCompile("(?s)^" + strings.Join(kept, ".*") + "$")
}
