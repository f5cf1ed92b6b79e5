package differential

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
)

// maxShrinks bounds how many rounds one disagreement is shrunk for.
const maxShrinks = 14

// maxDepth is how deep a group's JSON is looked into for what may be taken out.
const maxDepth = 9

// Shrink makes a group with a request that the sides disagree about as small as it gets: it takes out whatever
// can be taken out so that they still disagree about the same part of the answer.
func (r *Rig) Shrink(ctx context.Context, group Group, request int, diff string) (Group, string, error) {
	small := group.Clone()
	small.Requests = small.Requests[request : request+1]
	depth := 2 // whole objects and policies first
	for range maxShrinks {
		smaller, newDiff, err := r.shrinkOnce(ctx, small, diff, depth)
		switch {
		case err != nil || newDiff == "" && depth > maxDepth:
			return small, diff, err
		case newDiff == "":
			depth += 3
		default:
			small, diff = smaller, newDiff
		}
	}
	return small, diff, nil
}

// shrinkOnce tries every single removal at once, then several of those that did no harm together.
func (r *Rig) shrinkOnce(ctx context.Context, group Group, diff string, depth int) (Group, string, error) {
	harmless, err := r.disagreeing(ctx, group, singles(removals(group, depth)), diff)
	if err != nil || len(harmless) == 0 {
		return group, "", err
	}
	var together [][]place
	for n := len(harmless); n > 0; n /= 2 {
		var paths []place
		for _, h := range harmless[:n] {
			paths = append(paths, h.paths...)
		}
		together = append(together, paths)
	}
	best, err := r.disagreeing(ctx, group, together, diff)
	if err != nil || len(best) == 0 {
		return group, "", err
	}
	return best[0].group, best[0].diff, nil
}

// candidate is a smaller group that the sides still disagree about.
type candidate struct {
	paths []place
	group Group
	diff  string
}

// disagreeing tries removals, each on a group of its own, and returns those after which there is still the same
// disagreement, the smallest group first.
func (r *Rig) disagreeing(ctx context.Context, group Group, tries [][]place, diff string) ([]candidate, error) {
	var candidates []candidate
	var groups []Group
	for _, paths := range tries {
		smaller, ok := group.without(paths)
		if ok {
			candidates = append(candidates, candidate{paths: paths, group: smaller})
			groups = append(groups, smaller)
		}
	}
	round, err := r.Round(ctx, groups)
	if err != nil {
		return nil, err
	}
	var found []candidate
	for _, trial := range round.Trials {
		if sameDisagreement(trial.Diff, diff) {
			c := candidates[trial.Group]
			c.diff = trial.Diff
			found = append(found, c)
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return sizeOf(a.group) - sizeOf(b.group) })
	return found, nil
}

// sameDisagreement compares the names of the parts that differ.
func sameDisagreement(a, b string) bool {
	return a != "" && firstLine(a) == firstLine(b)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

func sizeOf(group Group) int {
	content, err := json.Marshal(group)
	if err != nil {
		panic(err) // nothing but maps, lists and strings
	}
	return len(content)
}
