package authorization

import (
	"context"

	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// Permits says whether somebody may do something to an object. It is for many objects: all of a kind in a namespace are asked about
// first, at once, and an object by its name only where that is refused and some role's resourceNames may allow it. The
// assumptions and the error are those of Check.
//
// An authorizer other than RBAC that allows an object by its name and not all of them is found where the roles can't be read,
// and not where they can.
func (z *Authorizer) Permits(ctx context.Context, asked authorizer.AttributesRecord) (bool, []inventory.Gap, error) {
	answered, err := z.answer(ctx, allNames{asked})
	if err == nil && !answered.allowed() && asked.Name != "" && z.namesMatter(ctx, asked) {
		answered, err = z.answer(ctx, asked)
	}
	if err == nil {
		err = answered.failure(asked)
	}
	return answered.allowed(), answered.assumptions, err
}

// namesMatter says whether what is refused for all objects may be allowed for the one that is asked about.
func (z *Authorizer) namesMatter(ctx context.Context, asked authorizer.Attributes) bool {
	rbac, err := z.RBAC(ctx)
	if err != nil {
		return true
	}
	decision, _, _ := rbac.Authorize(ctx, asked) // it never fails for a user
	return decision == authorizer.DecisionAllow
}
