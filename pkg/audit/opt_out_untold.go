package audit

import (
	"fmt"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

func readsOf(p guardPolicy) policy.Reads {
	switch object := p.object.(type) {
	case *admissionregistrationv1.ValidatingAdmissionPolicy:
		return policy.ReadsOf(object)
	case *admissionregistrationv1.MutatingAdmissionPolicy:
		return policy.MutatingReads(object)
	}
	return policy.Reads{}
}

// assumeNoWayOut says of a field that none of the values tried leads out by it: others may. The annotations as a whole are what a guard is about: they count
// only where the expression names a key that is not the downscaler's.
func (v *view) assumeNoWayOut(p guardPolicy, f policy.Field, reads policy.Reads) {
	if f.Of == "object" && firstTwo(f.Path) == "metadata.annotations" && keyOf(f.Path) == "" {
		beside := policy.Texts(f.Expression.Expression)
		if !slices.ContainsFunc(keysOut(reads.Texts), func(key string) bool { return slices.Contains(beside, key) }) {
			return
		}
	}
	v.gathered.assumptions[inventory.Gap{
		What: fmt.Sprintf("no way out of %s %s by %s.%s", p.kind, p.name, f.Of, f.Path),
		Why: fmt.Sprintf("its writer chooses it, and %s depends on it: none of the values that were tried leads out of the guard, others may: %s",
			f.Expression.Field, f.Expression.Expression),
	}] = true
}
