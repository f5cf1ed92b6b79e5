package audit

import (
	"context"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// SubresourceGuard is what the same changes come to when they are made through a subresource that writes the object's
// metadata. Nothing is created through one.
type SubresourceGuard struct {
	Name   string     `json:"name"` // such as "status"
	Add    Protection `json:"add"`
	Edit   Protection `json:"edit"`
	Remove Protection `json:"remove"`
}

// Of returns one column; it is empty for ColumnCreate.
func (s SubresourceGuard) Of(column Column) Protection {
	switch column {
	case ColumnAdd:
		return s.Add
	case ColumnEdit:
		return s.Edit
	case ColumnRemove:
		return s.Remove
	}
	return ""
}

// Bypass is a way around an object's guard.
type Bypass struct {
	Subresource string
	Columns     []Column
}

// Bypasses are the subresources through which changes pass that are prevented on the object itself.
func (o Object) Bypasses() []Bypass {
	var found []Bypass
	for _, s := range o.Subresources {
		b := Bypass{Subresource: s.Name}
		for _, column := range Columns() {
			if o.Guard.Of(column).Prevents() && passes(s.Of(column)) {
				b.Columns = append(b.Columns, column)
			}
		}
		if len(b.Columns) > 0 {
			found = append(found, b)
		}
	}
	return found
}

// passes says whether a change that comes to this is stored.
func passes(p Protection) bool {
	return p == ProtectionAllowed || p == ProtectionAudited || p == ProtectionWarned
}

// Subresources are the subresources of a kind that may write annotations. Those of custom resources are among them,
// and are found not to.
func Subresources(kind inventory.Kind) []string {
	var found []string
	if kind.HasSubresource("status") {
		found = append(found, "status")
	}
	if isNamespace(kind) && kind.HasSubresource("finalize") {
		found = append(found, "finalize")
	}
	return found
}

// through is the same trier for a subresource.
func (t trier) through(subresource string) *trier {
	t.subresource = subresource
	return &t
}

// trySubresources tries an object's changes through each of its subresources.
func (a *auditor) trySubresources(ctx context.Context, object inventory.Object, into *gathered) []SubresourceGuard {
	guards := []SubresourceGuard{}
	for _, name := range Subresources(object.Kind) {
		all := a.trier.through(name).try(ctx, object)
		into.note(object, name, all)
		g := guardOf(all)
		guards = append(guards, SubresourceGuard{Name: name, Add: g.Add, Edit: g.Edit, Remove: g.Remove})
	}
	return guards
}
