package audit

import (
	"fmt"
	"maps"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// junkKey is the key of a further annotation.
func junkKey(i int) string { return fmt.Sprintf("j/%d", i) }

// withJunk is the probe with as many further annotations: set by the same request, or there before.
func (p Probe) withJunk(n int, before bool) Probe {
	junk := map[string]string{}
	for i := range n {
		junk[junkKey(i+1)] = ""
	}
	if before {
		p.Object = withAnnotations(p.Object, request.Change{Set: junk})
		return p
	}
	set := maps.Clone(p.Change.Set)
	if set == nil {
		set = map[string]string{}
	}
	maps.Copy(set, junk)
	p.Change.Set = set
	return p
}
