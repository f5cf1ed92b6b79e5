package compare

import (
	"context"
	"errors"

	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// rights are what a requester may do with one object, or with a subresource of it.
type rights struct{ create, update bool }

func (r rights) allow(column audit.Column) bool {
	if column == audit.ColumnCreate {
		return r.create
	}
	return r.update
}

// asking says who may do what, for one object and subresource.
type asking struct {
	ctx         context.Context
	authorizer  *authorization.Authorizer
	object      inventory.Object
	subresource string
	found       *findings
}

// creating and updating are what would have to be allowed; each of several is enough.
func (a asking) creating() []authorizer.AttributesRecord {
	if a.subresource != "" {
		return nil
	}
	return []authorizer.AttributesRecord{audit.Creation(a.object)}
}

func (a asking) updating() []authorizer.AttributesRecord {
	ways := []authorizer.AttributesRecord{audit.Writing(a.object, "update", a.subresource)}
	if a.subresource != "finalize" { // which is served for PUT alone
		ways = append(ways, audit.Writing(a.object, "patch", a.subresource))
	}
	return ways
}

// of says what a requester may do. Where that is not known, everything is tried, and the report says so.
func (a asking) of(r Requester) rights {
	if r.Nobody {
		return rights{true, true}
	}
	return rights{create: a.permits(r, a.creating()), update: a.permits(r, a.updating())}
}

func (a asking) permits(r Requester, ways []authorizer.AttributesRecord) bool {
	for _, way := range ways {
		way.User = r.request.User()
		may, assumptions, err := a.authorizer.Permits(a.ctx, way)
		if err != nil {
			a.found.unauthorized(a.ctx, err)
			return true
		}
		if may {
			return true
		}
		a.found.assume(assumptions)
	}
	return false
}

// holders are the subjects that roles and bindings let write the object in some way, each with what it may do.
func (a asking) holders(rbac *authorization.RBAC) map[authorization.Subject]rights {
	creating, updating := grantsOf(rbac, a.creating()), grantsOf(rbac, a.updating())
	holders := map[authorization.Subject]rights{}
	for _, list := range [][]authorization.Grant{creating, updating} {
		for _, grant := range list {
			u := grant.Subject.Requester().User()
			to := func(list []authorization.Grant) bool {
				for _, g := range list {
					if g.To(u) {
						return true
					}
				}
				return false
			}
			holders[grant.Subject] = rights{create: to(creating), update: to(updating)}
		}
	}
	return holders
}

func grantsOf(rbac *authorization.RBAC, ways []authorizer.AttributesRecord) []authorization.Grant {
	var grants []authorization.Grant
	for _, way := range ways {
		grants = append(grants, rbac.Grants(way)...)
	}
	return grants
}

// noRBAC is the assumption about files that don't say who may do what.
var noRBAC = inventory.Gap{
	What: "what requesters may write",
	Why:  "the files hold no roles and no bindings, so that every requester is taken as authorized",
}

// unauthorized keeps why it can't be found out what somebody may write.
func (f *findings) unauthorized(ctx context.Context, err error) {
	unknown := (*authorization.UnknownError)(nil)
	switch {
	case ctx.Err() != nil:
	case errors.As(err, &unknown) && !errors.Is(err, authorization.ErrNoRBAC):
		f.incomplete[inventory.Gap{What: unknown.What, Why: unknown.Why()}] = true
	case errors.Is(err, authorization.ErrNoRBAC):
		f.assumptions[noRBAC] = true
	default:
		f.incomplete[inventory.Gap{What: noRBAC.What, Why: err.Error()}] = true
	}
}
