package audit

import (
	"context"
	"fmt"
)

// removalNotPrevented: an edit of an annotation is prevented and its removal passes without notice. There is one finding for
// each policy that prevents the edits, with all the kinds. A removal that is warned of is binding-does-not-deny's.
var removalNotPrevented = rule{
	Rule: Rule{ID: "removal-not-prevented", Severity: High, Title: "An annotation that can't be edited can be removed"},
	find: findRemovalNotPrevented,
}

func findRemovalNotPrevented(ctx context.Context, v *view) ([]Finding, error) {
	var order []policyName
	kinds := map[policyName][]*tally{}
	for _, t := range v.kinds {
		if t.removable == nil || len(t.removable.preventedBy) == 0 {
			continue
		}
		by := t.removable.preventedBy[0]
		if kinds[by] == nil {
			order = append(order, by)
		}
		kinds[by] = append(kinds[by], t)
	}
	var findings []Finding
	for _, by := range order {
		finding, err := v.removalFinding(ctx, by, kinds[by])
		if err != nil {
			return nil, err
		}
		findings = append(findings, finding)
	}
	return findings, nil
}

func (v *view) removalFinding(ctx context.Context, by policyName, kinds []*tally) (Finding, error) {
	var shown *example
	var list, types []string
	for _, t := range kinds {
		shown = lesser(shown, t.removable)
		types = append(types, typeOf(t.kind))
		list = append(list, fmt.Sprintf("%s (%d)", typeOf(t.kind), t.guards[ColumnRemove][ProtectionAllowed]))
	}
	remedy, err := v.removalRemedy(ctx, kinds)
	return Finding{
		Subject:  Subject{Kind: by.kind, Name: by.name},
		Message:  fmt.Sprintf("The policy prevents edits, and nothing prevents the removal of the same annotations, of %s.", enumerate(list)),
		Evidence: v.removalEvidence(ctx, *shown),
		Remedy:   remedy,
		Reach:    ofKinds(types),
	}, err
}
