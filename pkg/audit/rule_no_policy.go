package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"
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
		Message: fmt.Sprintf("%s may create it with a downscaler/ annotation, add one, edit one and remove one: none of these was prevented on any of %s.%s",
			v.whoMayWrite(), count(v.total.objects, "object", "objects"), v.whyUnprotected(enforced)),
		Evidence: v.evidence(shown, ""),
		Remedy:   "Install policies that guard the prefix, with bindings that deny, and try them first with --policies (" + inTheChart + ").",
	}}, nil
}

// whoMayWrite are those who can make the changes.
func (v *view) whoMayWrite() string {
	if len(v.gathered.anyway) > 0 {
		return "Nothing guards the annotations as such. Whoever may write an object, and is not refused for another reason,"
	}
	return "Whoever may write an object"
}

// whyUnprotected says what there is instead of protection.
func (v *view) whyUnprotected(enforced []guardPolicy) string {
	var text string
	if len(enforced) > 0 {
		text += fmt.Sprintf(" Enforced but without effect on them: %s.%s", names(enforced), v.whyNoEffect(enforced))
	}
	if dangling := v.dangling(); len(dangling) > 0 {
		text += fmt.Sprintf(" Bindings to policies that don't exist: %s.", bindingNames(dangling))
	}
	for _, p := range slices.SortedFunc(maps.Keys(v.gathered.anyway), comparePolicyNames) {
		r := v.gathered.anyway[p]
		text += fmt.Sprintf(" At present %s %s refuses %s of %s, with an annotation or without: what it lets pass, passes with one, too.", p.kind, p.name, r.changes(), r.where())
	}
	policies := v.simulator.Policies()
	if webhooks := len(policies.ValidatingWebhooks) + len(policies.MutatingWebhooks); webhooks > 0 {
		text += fmt.Sprintf(" What %s would do was not asked.", count(webhooks, "webhook configuration", "webhook configurations"))
	}
	return text
}

// whyNoEffect says where another finding is the reason that none of the guards acts: one of them does not compile.
func (v *view) whyNoEffect(enforced []guardPolicy) string {
	for _, p := range enforced {
		if errs, err := v.compileErrors(p); err == nil && len(errs) > 0 {
			return v.followsFromValues()
		}
	}
	return ""
}
