package compare

import (
	"context"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// membership is the assumption behind every subject of RBAC.
var membership = inventory.Gap{
	What: "who is in which group",
	Why:  "roles and bindings don't say; each user is tried with no group but those that the API server adds, and each group by a member of whom nothing else is known",
}

// resolve returns the requesters that are tried on every object, and the roles and bindings that say who else is. Where these can't be
// read, that is left open, and the others are tried.
func (o Options) resolve(ctx context.Context, authorizer *authorization.Authorizer) ([]Requester, *authorization.RBAC, *findings, error) {
	requesters, found := o.Requesters, newFindings()
	if !o.Live {
		if len(requesters) == 0 {
			requesters = []Requester{Ordinary()}
		}
		return requesters, nil, found, nil
	}
	rbac, gaps, err := ReadRBAC(ctx, authorizer)
	if rbac == nil {
		found.leaveOpen(gaps)
		return requesters, nil, found, err
	}
	found.assume(gaps)
	return requesters, rbac, found, nil
}

// ReadRBAC returns the roles and bindings whose subjects are to be tried, with the assumptions behind that. Where they can't be read it
// returns none, with what that leaves open; the error is the context's.
func ReadRBAC(ctx context.Context, authorizer *authorization.Authorizer) (*authorization.RBAC, []inventory.Gap, error) {
	rbac, err := authorizer.RBAC(ctx)
	if err != nil {
		return nil, []inventory.Gap{{What: "whom roles and bindings let write the objects", Why: err.Error()}}, ctx.Err()
	}
	return rbac, append([]inventory.Gap{membership}, rbac.Dangling()...), nil
}
