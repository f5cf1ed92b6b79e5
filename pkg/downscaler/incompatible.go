package downscaler

import "fmt"

// Conflict is two annotations of one scope that the downscaler refuses together. What follows is
// the same as for an unreadable value: see UnusableOn.
type Conflict struct {
	First, Second string // keys, with the prefix
}

// String says the conflict as a sentence without a full stop.
func (c Conflict) String() string {
	return fmt.Sprintf("%s and %s can't be used together on one object", c.First, c.Second)
}

// CheckForIncompatibleFields in internal/pkg/values/scope.go.
var conflicts = []Conflict{
	{Uptime, Downtime},
	{Uptime, UpscalePeriod},
	{Uptime, DownscalePeriod},
	{Downtime, UpscalePeriod},
	{Downtime, DownscalePeriod},
}

// Incompatible lists the pairs among one object's annotations that the downscaler refuses together,
// always in the same order, and nil if there are none. A workload and its namespace are separate
// scopes and never conflict. Whether each value by itself is valid is Check's question. Pairs that
// are only refused while both match, such as the two force- annotations, are not listed.
func Incompatible(annotations map[string]string) []Conflict {
	var found []Conflict
	for _, c := range conflicts {
		_, first := annotations[c.First]
		_, second := annotations[c.Second]
		if first && second {
			found = append(found, c)
		}
	}
	return found
}
