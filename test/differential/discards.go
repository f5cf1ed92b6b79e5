package differential

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Discards are the cases about which there is nothing to compare, by reason.
type Discards map[string]discarded

// discarded counts the cases of one reason and names the last group with it.
type discarded struct{ cases, group int }

var groupNames = regexp.MustCompile(`\bg[0-9]+\b`)

// Add counts cases of a group that were discarded.
func (d Discards) Add(why string, group, cases int) {
	why = groupNames.ReplaceAllString(why, placeholder)
	d[why] = discarded{cases: d[why].cases + cases, group: group}
}

// Total counts the cases of all reasons.
func (d Discards) Total() int {
	total := 0
	for _, reason := range d {
		total += reason.cases
	}
	return total
}

// Table prints the reasons, one a line.
func (d Discards) Table() string {
	var text strings.Builder
	for _, why := range slices.Sorted(maps.Keys(d)) {
		fmt.Fprintf(&text, "\n%6d %s (such as group %d)", d[why].cases, shortened(why), d[why].group)
	}
	return text.String()
}

// shortened leaves out the middle of a long text.
func shortened(text string) string {
	const end = 200
	if len(text) <= 2*end {
		return text
	}
	return text[:end] + " … " + text[len(text)-end:]
}
