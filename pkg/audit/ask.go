package audit

import (
	"context"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// Ask is the change of one annotation that is asked for: with ColumnAdd it is set, which is an edit where the object carries it already; with
// ColumnEdit and ColumnRemove the change is made on a copy that has it where the object does not.
func Ask(object inventory.Object, column Column, key string) Probe {
	value, carried := object.Meta().GetAnnotations()[key]
	switch {
	case column == ColumnAdd && carried:
		column = ColumnEdit
	case column == ColumnAdd:
		return Probe{Column: ColumnAdd, Key: key, Object: object, Change: request.Change{Set: map[string]string{key: "true"}}}
	}
	p := Probe{Column: column, Key: key, Object: object, Change: request.Change{Remove: []string{key}}}
	if !carried {
		value, p.Copied = "true", true
		p.Object = withAnnotations(object, request.Change{Set: map[string]string{key: value}})
	}
	if column == ColumnEdit {
		p.Change = edit(key, value)
	}
	return p
}

// TryOne tries one change, which is Ask's, through a subresource or with "" on the object itself.
func (t *Trier) TryOne(ctx context.Context, object inventory.Object, probe Probe, subresource string) Trial {
	through := t.trier.through(subresource)
	one := through.tryProbe(ctx, probe, &controls{trier: through, object: object})
	return one.trial(object, subresource)
}

// Passes says whether a change that comes to this is stored.
func (p Protection) Passes() bool { return passes(p) }

// Editings are the rights to write the policies that prevented a change of an object in a namespace, their bindings and their parameters.
// The gaps are parameters that could not be read.
func Editings(ctx context.Context, simulator *simulate.Simulator, rbac *authorization.RBAC, by []simulate.By, namespace string) ([]Editing, []inventory.Gap, error) {
	var parts []part
	var gaps []inventory.Gap
	for _, p := range policiesIn(simulator.Policies()) {
		p.bindings = slices.DeleteFunc(slices.Clone(p.bindings), func(b guardBinding) bool {
			return !slices.Contains(by, simulate.By{Kind: p.kind, Policy: p.name, Binding: b.object.GetName()})
		})
		if len(p.bindings) == 0 {
			continue
		}
		parts = append(parts, guardParts([]guardPolicy{p})...)
		for _, b := range p.bindings {
			params, unread, err := paramParts(ctx, simulator.Inventory(), p, b, []string{namespace})
			if err != nil {
				return nil, nil, err
			}
			parts, gaps = append(parts, params...), append(gaps, unread...)
		}
	}
	return editingsOf(rbac, parts), gaps, nil
}
