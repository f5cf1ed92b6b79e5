package cli

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/chart"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// proposal is an inventory with proposed policies in it, and with the parameters that came with them.
type proposal struct {
	inventory.Inventory
	files    inventory.Inventory // nil where no file is
	proposed *inventory.Policies // among the policies
	policies *inventory.Policies
	only     bool
}

// Policies implements inventory.Inventory.
func (p *proposal) Policies() *inventory.Policies { return p.policies }

// Incomplete implements inventory.Inventory. That policies could not be read doesn't matter where they are left out, and what
// else the proposal's files leave open doesn't matter at all: only their policies and parameters are looked at.
func (p *proposal) Incomplete() []inventory.Gap {
	gaps := slices.Clone(p.Inventory.Incomplete())
	if p.only {
		unread := p.Inventory.Policies().Unread
		gaps = slices.DeleteFunc(gaps, func(gap inventory.Gap) bool { return slices.Contains(unread, gap) })
	}
	if p.files == nil {
		return gaps
	}
	return slices.Concat(gaps, p.files.Policies().Unread)
}

// Locate implements inventory.Locator: what is proposed stands in its own files.
func (p *proposal) Locate(kind, namespace, name string) (inventory.Position, bool) {
	if p.files != nil {
		if position, found := inventory.Locate(p.files, kind, namespace, name); found {
			return position, true
		}
	}
	if isProposed(p.proposed, kind, name) {
		return inventory.Position{}, false
	}
	return inventory.Locate(p.Inventory, kind, namespace, name)
}

// Written implements inventory.Writer: what no file of the proposal has is what the downscaler's chart makes of values.
func (p *proposal) Written(kind, name string) (schema.GroupVersion, bool) {
	if p.files != nil {
		if written, found := inventory.Written(p.files, kind, name); found {
			return written, true
		}
	}
	if isProposed(p.proposed, kind, name) {
		return chart.WrittenVersion(kind), true
	}
	return inventory.Written(p.Inventory, kind, name)
}

// Params implements inventory.Inventory.
func (p *proposal) Params(ctx context.Context, gvk schema.GroupVersionKind) ([]runtime.Object, inventory.Kind, error) {
	live, kind, err := p.Inventory.Params(ctx, gvk)
	if p.files == nil {
		return live, kind, err
	}
	proposed, proposedKind, filesErr := p.files.Params(ctx, gvk)
	switch {
	case filesErr != nil && !meta.IsNoMatchError(filesErr):
		return nil, kind, filesErr
	case filesErr != nil, len(proposed) == 0:
		return live, kind, err
	}
	if meta.IsNoMatchError(err) {
		return proposed, proposedKind, nil
	}
	return append(withoutSame(live, proposed), proposed...), kind, err
}

// withoutSame leaves out the objects that others replace.
func withoutSame(objects, replacing []runtime.Object) []runtime.Object {
	names := map[string]bool{}
	for _, object := range replacing {
		names[nameOf(object)] = true
	}
	return slices.DeleteFunc(slices.Clone(objects), func(object runtime.Object) bool { return names[nameOf(object)] })
}

func nameOf(object runtime.Object) string {
	m, err := meta.Accessor(object)
	if err != nil {
		return ""
	}
	return m.GetNamespace() + "/" + m.GetName()
}
