package inventory

import "strings"

// HoldsRedacted says whether a value is what a snapshot put in the place of another, or has it within itself: as
// part of a JSON document, or as base64.
func HoldsRedacted(value string) bool {
	return strings.Contains(value, Redacted) || strings.Contains(value, redactedBytes)
}
