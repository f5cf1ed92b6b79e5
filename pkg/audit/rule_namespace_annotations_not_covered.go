package audit

import (
	"context"
	"fmt"
)

// namespaceAnnotationsNotCovered: the guard's rules list workloads and not namespaces, so that a tenant who may write the
// namespace excludes all that is in it. It is silent where namespaces are listed and a selector leaves some of them out.
var namespaceAnnotationsNotCovered = rule{
	Rule: Rule{ID: "namespace-annotations-not-covered", Severity: High, Title: "No rule of the guard lists namespaces, whose annotations hold for all that is in them"},
	find: findNamespaceAnnotationsNotCovered,
}

func findNamespaceAnnotationsNotCovered(ctx context.Context, v *view) ([]Finding, error) {
	for _, t := range v.kinds {
		if !isNamespace(t.kind) {
			continue
		}
		guards, err := v.leavesOut(ctx, t)
		if err != nil || len(guards) == 0 {
			return nil, err
		}
		why := fmt.Sprintf("No rule of %s lists namespaces", names(guards))
		remedy := fmt.Sprintf("Add namespaces to the resourceRules of %s, for CREATE and UPDATE (%s.onNamespace.enabled).", names(guards), inTheChart)
		if c, found := v.listedInVain(ctx, t, guards); found {
			why, remedy = c.inVain(t), c.remedy
		}
		return []Finding{{
			Subject: Subject{Kind: "Namespace"},
			Message: fmt.Sprintf("%s (%d audited), so that a downscaler/ annotation on one holds for all the workloads in it, whoever set it.",
				why, t.objects),
			Evidence: v.evidence(*t.open, ""),
			Remedy:   remedy,
		}}, nil
	}
	return nil, nil
}
