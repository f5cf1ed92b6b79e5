package audit

import (
	"context"
	"errors"

	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// noRBAC is the assumption about files that don't say what the requester may do.
var noRBAC = inventory.Gap{
	What: "what the requester may write",
	Why:  "the files hold no roles and no bindings, so that RBAC was not asked",
}

// mayWrite says what the requester is authorized to do with an object; nil for the ordinary user, who is nobody in particular,
// and where it can't be found out.
func (a *auditor) mayWrite(ctx context.Context, object inventory.Object, into *gathered) *MayWrite {
	if a.ordinary == nil {
		return nil
	}
	create, err := a.permits(ctx, into, Creation(object))
	if err != nil {
		into.noteUnauthorized(ctx, err)
		return nil
	}
	update, err := a.permits(ctx, into, Writing(object, "patch", ""), Writing(object, "update", ""))
	if err != nil {
		into.noteUnauthorized(ctx, err)
		return nil
	}
	return &MayWrite{Create: create, Update: update}
}

// permits says whether the requester may do any of several things.
func (a *auditor) permits(ctx context.Context, into *gathered, ways ...authorizer.AttributesRecord) (bool, error) {
	for _, way := range ways {
		way.User = a.options.Requester.User()
		may, assumptions, err := a.simulator.Authorizer().Permits(ctx, way)
		if err != nil || may {
			return may, err
		}
		for _, gap := range assumptions {
			into.assumptions[gap] = true
		}
	}
	return false, nil
}

// Creation is what authorization is asked about a POST, which names no object, but for the user.
func Creation(object inventory.Object) authorizer.AttributesRecord {
	asked := Writing(object, "create", "")
	asked.Name = ""
	if isNamespace(object.Kind) {
		asked.Namespace = ""
	}
	return asked
}

// Writing is what authorization is asked about a write of an existing object, through a subresource or with "" itself, but for the
// user. A Namespace lies in itself.
func Writing(object inventory.Object, verb, subresource string) authorizer.AttributesRecord {
	asked := authorizer.AttributesRecord{
		ResourceRequest: true, Verb: verb, Namespace: object.Meta().GetNamespace(), Name: object.Meta().GetName(),
		APIGroup: object.Kind.Resource.Group, APIVersion: object.Kind.Resource.Version, Resource: object.Kind.Resource.Resource, Subresource: subresource,
	}
	if isNamespace(object.Kind) {
		asked.Namespace = asked.Name
	}
	return asked
}

// noteUnauthorized keeps why it can't be found out what the requester may write.
func (g *gathered) noteUnauthorized(ctx context.Context, err error) {
	unknown := (*authorization.UnknownError)(nil)
	switch {
	case ctx.Err() != nil:
	case errors.As(err, &unknown):
		g.incomplete[inventory.Gap{What: unknown.What, Why: unknown.Why()}] = true
	case errors.Is(err, authorization.ErrNoRBAC):
		g.assumptions[noRBAC] = true
	default:
		g.incomplete[inventory.Gap{What: noRBAC.What, Why: err.Error()}] = true
	}
}
