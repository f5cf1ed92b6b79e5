package audit

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// deleteAndRecreate: the removal of an annotation is prevented, and the deletion of an object that carries one is not. Whoever may delete it and create it
// again, without the annotation, comes to the same. There is one finding for all kinds.
var deleteAndRecreate = rule{
	Rule: Rule{ID: "delete-and-recreate", Severity: Info, Title: "An annotation that can't be removed goes with the object, which may be deleted and created again"},
	find: findDeleteAndRecreate,
}

func findDeleteAndRecreate(ctx context.Context, v *view) ([]Finding, error) {
	var kinds []string
	var shown *stop
	guards := map[policyName]bool{}
	for _, p := range v.policies {
		for _, s := range v.stops(p.policyName) {
			kind := typeOf(s.object.Kind)
			if s.Column != ColumnRemove || !v.deletable(ctx, s) {
				continue
			}
			guards[p.policyName] = true
			if !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
			if shown == nil || exampleOf(s.tried).compare(exampleOf(shown.tried)) < 0 {
				shown = s
			}
		}
	}
	if shown == nil || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	slices.Sort(kinds)
	return []Finding{{
		Subject:  Subject{Kind: policiesOf(shown.acting)[0].kind},
		Message:  fmt.Sprintf("Removals of annotations are prevented, and the deletion of an object that carries one is not: %s. Whoever may delete it and create it again is rid of the annotation.", enumerate(kinds)),
		Evidence: v.deletionEvidence(shown),
		Remedy:   "Add a ValidatingAdmissionPolicy with a rule for DELETE that refuses it where oldObject carries a downscaler/ annotation, if that is worth it: controllers, helm uninstall and the garbage collector delete objects, too.",
	}}, nil
}

// deletable says whether the ordinary user may delete the object with the annotation.
func (v *view) deletable(ctx context.Context, s *stop) bool {
	r, err := request.Annotate(OrdinaryUser(), s.Object, request.Change{}, request.Options{Operation: admission.Delete})
	return err == nil && v.simulator.Run(ctx, r, simulate.Options{}).Outcome == simulate.Allowed
}

func (v *view) deletionEvidence(s *stop) string {
	e := exampleOf(s.tried)
	args := []string{"simulate", "as-user", OrdinaryUser().Username, typeOf(e.kind) + "/" + e.object.Name}
	if e.object.Namespace != "" {
		args = append(args, "-n", e.object.Namespace)
	}
	return commandLine(append(args, "--operation", "delete", "--past-authorization"), v.flags)
}
