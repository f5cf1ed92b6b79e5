package audit

import (
	"context"
	"fmt"
)

// noPolicy: nothing enforced protects the prefix. It is silent
//
//   - where some change of some object was prevented: then other rules say what is missing;
//   - where it is not known whether an addition, edit or removal is prevented;
//   - in an audit of a part where an enforced guard met none of the objects: it may protect the rest.
var noPolicy = rule{
	Rule: Rule{ID: "no-policy", Severity: Critical, Title: "Nothing that is enforced protects the annotations"},
	find: findNoPolicy,
}

func findNoPolicy(ctx context.Context, v *view) ([]Finding, error) {
	unprotected := v.total.objects > 0 && !v.total.any(Protection.Prevents) &&
		v.total.guards[ColumnAdd][ProtectionUnknown]+v.total.guards[ColumnEdit][ProtectionUnknown]+v.total.guards[ColumnRemove][ProtectionUnknown] == 0
	if !unprotected {
		return nil, nil
	}
	enforced, err := v.enforcedGuards(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range enforced {
		if !v.whole && !v.gathered.matched[p.policyName] {
			return nil, nil
		}
	}
	shown, _ := v.showing()
	return []Finding{{
		Subject: Subject{Kind: kindValidating},
		Message: fmt.Sprintf("Whoever may write an object may create it with a downscaler/ annotation, add one, edit one and remove one: none of these was prevented on any of %s.%s",
			count(v.total.objects, "object", "objects"), v.whyUnprotected(enforced)),
		Evidence: v.evidence(shown, ""),
		Remedy:   "Install policies that guard the prefix, with bindings that deny, and try them first with --policies (" + inTheChart + ").",
	}}, nil
}

// whyUnprotected says what there is instead of protection.
func (v *view) whyUnprotected(enforced []guardPolicy) string {
	var text string
	if len(enforced) > 0 {
		text += fmt.Sprintf(" Enforced but without effect on them: %s.", names(enforced))
	}
	if dangling := v.dangling(); len(dangling) > 0 {
		text += fmt.Sprintf(" Bindings to policies that don't exist: %s.", bindingNames(dangling))
	}
	policies := v.simulator.Policies()
	if webhooks := len(policies.ValidatingWebhooks) + len(policies.MutatingWebhooks); webhooks > 0 {
		text += fmt.Sprintf(" What %s would do was not asked.", count(webhooks, "webhook configuration", "webhook configurations"))
	}
	return text
}
