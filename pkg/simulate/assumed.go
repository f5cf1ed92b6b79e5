package simulate

import (
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// assumeValid notes that what mutating policies made of the object outside of its metadata is taken to be valid: of the
// API's own validation only metadata's is done here, see request.Validate. A request that assumes it already says it once.
func (c *chain) assumeValid() {
	name := c.request.Name
	if name == "" {
		name = c.request.GenerateName
	}
	gap := inventory.Gap{
		What: "the spec of " + c.request.Kind.Kind.Kind + " " + name + " is valid",
		Why:  "a MutatingAdmissionPolicy changes it, and only the API server validates what is outside of metadata",
	}
	if !slices.ContainsFunc(c.result.Assumptions, func(g inventory.Gap) bool { return g.What == gap.What }) {
		c.result.Assumptions = append(c.result.Assumptions, gap)
	}
}
