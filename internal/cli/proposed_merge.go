package cli

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// mergePolicies puts proposed policies in the place of those with the same names, and adds the others.
func mergePolicies(live, proposed *inventory.Policies, only bool) *inventory.Policies {
	if only {
		live = &inventory.Policies{}
	}
	return &inventory.Policies{
		Validating:         merge(live.Validating, proposed.Validating),
		ValidatingBindings: merge(live.ValidatingBindings, proposed.ValidatingBindings),
		Mutating:           merge(live.Mutating, proposed.Mutating),
		MutatingBindings:   merge(live.MutatingBindings, proposed.MutatingBindings),
		ValidatingWebhooks: merge(live.ValidatingWebhooks, proposed.ValidatingWebhooks),
		MutatingWebhooks:   merge(live.MutatingWebhooks, proposed.MutatingWebhooks),
		Unread:             slices.Concat(live.Unread, proposed.Unread),
	}
}

// merge returns the proposed objects and those live ones that none of them replaces, sorted by name.
func merge[T metav1.Object](live, proposed []T) []T {
	merged := slices.Clone(proposed)
	for _, object := range live {
		isSame := func(other T) bool {
			return other.GetName() == object.GetName()
		}
		if !slices.ContainsFunc(proposed, isSame) {
			merged = append(merged, object)
		}
	}
	slices.SortFunc(merged, func(a, b T) int { return strings.Compare(a.GetName(), b.GetName()) })
	return merged
}

func isEmpty(p *inventory.Policies) bool {
	return len(p.Validating)+len(p.ValidatingBindings)+len(p.Mutating)+len(p.MutatingBindings)+
		len(p.ValidatingWebhooks)+len(p.MutatingWebhooks) == 0
}
