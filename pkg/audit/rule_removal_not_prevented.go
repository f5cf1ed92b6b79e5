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

func findRemovalNotPrevented(_ context.Context, v *view) ([]Finding, error) {
	var order []policyName
	kinds := map[policyName][]string{}
	shown := map[policyName]*example{}
	for _, t := range v.kinds {
		if t.removable == nil || len(t.removable.preventedBy) == 0 {
			continue
		}
		by := t.removable.preventedBy[0]
		if shown[by] == nil {
			order = append(order, by)
		}
		shown[by] = lesser(shown[by], t.removable)
		kinds[by] = append(kinds[by], fmt.Sprintf("%s (%d)", typeOf(t.kind), t.guards[ColumnRemove][ProtectionAllowed]))
	}
	var findings []Finding
	for _, by := range order {
		findings = append(findings, Finding{
			Subject:  Subject{Kind: by.kind, Name: by.name},
			Message:  fmt.Sprintf("The policy prevents edits, and nothing prevents the removal of the same annotations, of %s.", enumerate(kinds[by])),
			Evidence: v.evidence(*shown[by], ""),
			Remedy:   "Add a policy that refuses or restores removals for the same resources (preventRemoval beside enabled in the chart).",
		})
	}
	return findings, nil
}
