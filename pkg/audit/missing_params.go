package audit

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// missing is a binding that finds no parameter, or a policy whose kind of parameters the server does not have, and what the API server does then: it leaves the
// binding out (Skipped), ignores the failure (ErrorIgnored), or refuses the request (Error).
type missing struct {
	policy   policyName
	binding  string
	field    string // paramRef or paramKind
	decision policy.Decision
}

// missingParams finds them in the probes of one object: where the change passes, or where the missing parameter refuses it.
func missingParams(object inventory.Object, all []tried) reaches[missing] {
	found := reaches[missing]{}
	for _, t := range all {
		if len(t.orders) > 0 {
			continue
		}
		for _, s := range t.result.Steps {
			refused := s.Decision == policy.Error
			if s.Because.Rule != "paramRef" && s.Because.Rule != "paramKind" || !refused && !passes(t.protection) {
				continue
			}
			found.note(missing{policyName{s.Kind, s.Policy}, s.Binding, s.Because.Rule, s.Decision}, object, t)
		}
	}
	return found
}

// missing are those of one policy, by binding.
func (v *view) missing(p policyName) []missing {
	var found []missing
	for m := range v.gathered.missing {
		if m.policy == p {
			found = append(found, m)
		}
	}
	slices.SortFunc(found, func(a, b missing) int {
		return cmp.Or(cmp.Compare(a.binding, b.binding), cmp.Compare(a.decision, b.decision))
	})
	return found
}

// paramKindOf is the kind of a policy's parameters, as the server has it.
func (v *view) paramKindOf(p guardPolicy) (inventory.Kind, bool) {
	return v.inventory.Kinds().ForKind(schema.FromAPIVersionAndKind(p.param.APIVersion, p.param.Kind))
}
