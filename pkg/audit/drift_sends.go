package audit

import (
	"context"
	"maps"
	"strings"

	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// sends sends a template in one of kubectl's ways.
func (a *auditor) sends(t template, via request.Via) sending {
	return func(ctx context.Context, object inventory.Object, annotations map[string]string) (simulate.Result, bool) {
		manifest := t.manifest.DeepCopy()
		all := manifest.GetAnnotations()
		maps.DeleteFunc(all, func(key, _ string) bool { return strings.HasPrefix(key, downscaler.Prefix) })
		manifest.SetAnnotations(merged(all, annotations))
		options := request.Options{Operation: admission.Update, FieldManager: t.manager}
		r, err := request.Send(ctx, holding{a.inventory, object}, OrdinaryUser(), manifest, via, object.Meta().GetNamespace(), options)
		if err != nil {
			return simulate.Result{}, false
		}
		return a.simulator.Run(ctx, r, simulate.Options{}), true
	}
}

// merged is one map of annotations with another one's set; nil where there are none.
func merged(annotations, others map[string]string) map[string]string {
	if len(annotations)+len(others) == 0 {
		return nil
	}
	all := map[string]string{}
	maps.Copy(all, annotations)
	maps.Copy(all, others)
	return all
}

// holding is an inventory in which an object that is at hand is not read again.
type holding struct {
	inventory.Inventory
	object inventory.Object
}

// Get implements inventory.Inventory.
func (h holding) Get(context.Context, inventory.Kind, string, string) (inventory.Object, error) {
	return h.object, nil
}

// commandOf is the command that sends in a way.
func commandOf(via request.Via) string {
	switch via {
	case request.ViaServerSideApply:
		return "kubectl apply --server-side"
	case request.ViaReplace:
		return "kubectl replace"
	case request.ViaApply, request.ViaCreate:
	}
	return "kubectl apply"
}
