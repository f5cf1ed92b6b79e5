package audit

import (
	"context"
	"fmt"
)

// policyWithoutBinding: a policy acts only through a binding. Which policies are the guard's, view.isGuard decides; other
// tools' policies are theirs to bind.
var policyWithoutBinding = rule{
	Rule: Rule{ID: "policy-without-binding", Severity: High, Title: "A policy of the guard has no binding, so that it does nothing"},
	find: findPolicyWithoutBinding,
}

func findPolicyWithoutBinding(ctx context.Context, v *view) ([]Finding, error) {
	shown, found := v.showing()
	if !found {
		return nil, nil
	}
	guards, err := v.guards(ctx)
	if err != nil {
		return nil, err
	}
	var findings []Finding
	for _, p := range guards {
		if len(p.bindings) > 0 {
			continue
		}
		findings = append(findings, Finding{
			Subject:  Subject{Kind: p.kind, Name: p.name},
			Message:  fmt.Sprintf("No %sBinding names %q as its policyName. A policy acts only through a binding.", p.kind, p.name),
			Evidence: v.evidence(v.preventedAlone(p, shown), ""),
			Remedy:   fmt.Sprintf("Create a %sBinding with spec.policyName %q%s, or delete the policy if another one has replaced it.", p.kind, p.name, denyHint(p.kind)),
		})
	}
	return findings, nil
}

func denyHint(kind string) string {
	if kind == kindValidating {
		return " and spec.validationActions [Deny]"
	}
	return ""
}

// preventedAlone is a change that passes and that the policy would prevent if it were bound, if there is one.
func (v *view) preventedAlone(p guardPolicy, otherwise example) example {
	tryout := v.tryouts[p.policyName]
	if tryout == nil {
		return otherwise
	}
	for _, t := range v.kinds {
		if t.open == nil {
			continue
		}
		for at, alone := range tryout.tallies {
			if at.kind == t.kind.Kind.GroupKind() && alone.guards[t.open.Column][ProtectionAllowed] == 0 {
				return *t.open
			}
		}
	}
	return otherwise
}
