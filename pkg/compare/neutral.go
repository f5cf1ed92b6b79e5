package compare

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// unrelated is an annotation without the downscaler's prefix that nothing reads.
const unrelated = "compliance.example/unrelated"

// requests are those that are made for an object: the probes of its guard, and what ordinary work is: an update of the object as it is, and the creation
// of one without any of the annotations. A policy that stops these stops more than it is meant to.
func (a asking) requests() []audit.Probe {
	neutral := request.Change{Set: map[string]string{unrelated: "true"}}
	requests := append(audit.Probes(a.object), audit.Probe{Column: audit.ColumnAdd, Object: a.object, Change: neutral})
	if a.subresource != "" {
		return slices.DeleteFunc(requests, func(p audit.Probe) bool { return p.Column == audit.ColumnCreate })
	}
	for _, p := range requests {
		if p.Column == audit.ColumnCreate {
			return append(requests, audit.Probe{Column: audit.ColumnCreate, Object: p.Object, Change: neutral})
		}
	}
	return requests
}

var replicaSets = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "replicasets"}

// kinds are those of an audit, and ReplicaSets where some policy names them: a controller writes these, and a guard may be in its way.
func (g *guards) kinds() []inventory.Kind {
	inv := g.tomorrow.Inventory()
	kinds := audit.GuardedKinds(inv.Kinds())
	for _, policies := range []*inventory.Policies{g.today.Policies(), g.tomorrow.Policies()} {
		for _, p := range policies.Validating {
			if policy.Lists(p.Spec.MatchConstraints, replicaSets.GroupResource()) {
				return withReplicaSets(kinds, inv)
			}
		}
		for _, p := range policies.Mutating {
			if policy.Lists(p.Spec.MatchConstraints, replicaSets.GroupResource()) {
				return withReplicaSets(kinds, inv)
			}
		}
	}
	return kinds
}

func withReplicaSets(kinds []inventory.Kind, inv inventory.Inventory) []inventory.Kind {
	if kind, served := inv.Kinds().ForResource(replicaSets); served {
		return append(kinds, kind)
	}
	return kinds
}
