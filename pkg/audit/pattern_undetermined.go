package audit

import (
	"context"
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// assumeNobodyElse says of each expression of an enforced guard that asks about the requester in a form that is not put into names and patterns, such as by a part of
// the name or by what else is known of them: who passes by it was not found out. What does not compile decides nothing.
func (v *view) assumeNobodyElse(ctx context.Context) error {
	guards, err := v.enforcedGuards(ctx)
	if err != nil {
		return err
	}
	for _, p := range guards {
		errs, err := v.compileErrors(p)
		if err != nil {
			return err
		}
		if len(errs) > 0 {
			continue
		}
		for _, e := range undetermined(p) {
			v.gathered.assumptions[inventory.Gap{
				What: fmt.Sprintf("who passes %s %s by %s", p.kind, p.name, e.Field),
				Why:  "it asks about the requester in a form of which no names can be made, so that it was not tried for whom else than it means it lets through: " + e.Expression,
			}] = true
		}
	}
	return nil
}

func undetermined(p guardPolicy) []policy.Expression {
	switch object := p.object.(type) {
	case *admissionregistrationv1.ValidatingAdmissionPolicy:
		return policy.PartiesOf(object).Expressions
	case *admissionregistrationv1.MutatingAdmissionPolicy:
		return policy.MutatingParties(object).Expressions
	}
	return nil
}
