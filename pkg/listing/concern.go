package listing

import (
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// aboutAnnotations says whether a policy may be about the downscaler's annotations. One that does not name the prefix can only be where
// it sees an object that the downscaler reads them from.
func (s subject) aboutAnnotations() bool {
	return s.text.NamesPrefix() || s.text.MayConcernPrefix() && s.listsGuarded()
}

// listsGuarded says whether some rule lists a kind that the downscaler reads annotations from.
func (s subject) listsGuarded() bool {
	return policy.Lists(s.constraints, downscaler.Namespaces.GroupResource()) ||
		slices.ContainsFunc(downscaler.Kinds(), func(k downscaler.Kind) bool { return policy.Lists(s.constraints, k.Resource.GroupResource()) })
}
