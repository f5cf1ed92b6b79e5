package audit

import (
	"context"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// removalEvidence is the command that removes what could not be edited. It needs an object that carries an annotation: in an
// audit of a part where none does, one of the same kind from anywhere else.
func (v *view) removalEvidence(ctx context.Context, e example) string {
	if !e.onCopy() || v.whole {
		return v.evidence(e, "")
	}
	for object, err := range v.inventory.Objects(ctx, inventory.Query{Kinds: []inventory.Kind{e.kind}}) {
		if err != nil {
			break // the evidence of what was audited is as true
		}
		if len(guardedAnnotations(object.Meta())) == 0 {
			continue
		}
		t := newTally(object.Kind)
		t.add(v.trier("").try(ctx, object))
		if t.removable != nil && !t.removable.onCopy() {
			return v.evidence(*t.removable, "")
		}
	}
	return v.evidence(e, "")
}
