package simulate

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// noteDropped adds a step where the API itself, and no policy, takes annotations back: what a subresource can't write.
func (c *chain) noteDropped(sent, prepared runtime.Object) {
	changes := changesOf(policy.Annotations(sent), policy.Annotations(prepared))
	if prepared == nil || len(changes) == 0 {
		return
	}
	c.result.Steps = append(c.result.Steps, policy.Step{
		Phase: policy.PhaseValidation, Kind: "API", Decision: policy.Mutated, Message: c.whyDropped(), Changes: changes,
	})
}

func (c *chain) whyDropped() string {
	switch c.request.Subresource {
	case "scale":
		return "a scale carries no annotations"
	case "status":
		return "/status of a custom resource takes no metadata"
	}
	return "the API server does not take them from such a request"
}

// changesOf are the differences between two states of annotations, sorted by key.
func changesOf(before, after map[string]string) []policy.Change {
	keys := maps.Clone(before)
	maps.Copy(keys, after)
	var changes []policy.Change
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if was, is := value(before, key), value(after, key); !same(was, is) {
			changes = append(changes, policy.Change{Key: key, Before: was, After: is})
		}
	}
	return changes
}
