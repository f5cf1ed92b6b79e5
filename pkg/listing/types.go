package listing

import (
	"context"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// Types type-checks one validating policy as List does. What could not be found out is in incomplete, what the check rests on in assumptions.
func Types(ctx context.Context, inv inventory.Inventory, p *admissionregistrationv1.ValidatingAdmissionPolicy) (check TypeCheck, incomplete, assumptions []inventory.Gap) {
	l := &lister{inventory: inv}
	check = l.typeCheck(ctx, subject{kind: kindValidating, object: p})
	return check, l.report.Incomplete, l.report.Assumptions
}

// Warns says whether either check warns; one that the cluster made of an earlier generation does not count.
func (t TypeCheck) Warns() bool {
	return len(t.Warnings) > 0 || t.Stored != nil && t.Stored.Current && len(t.Stored.Warnings) > 0
}
