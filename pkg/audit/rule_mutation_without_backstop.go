package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// mutationWithoutBackstop: changes are only taken back by a mutating policy. Mutating webhooks run behind it, on the same request, and what they add is
// stored unless a validating policy refuses it. It is tried with all mutating policies left out: what passes then has no validating policy
// behind it. There is one finding a policy, less grave where no mutating webhook is there that would be called.
var mutationWithoutBackstop = rule{
	Rule: Rule{ID: "mutation-without-backstop", Severity: Medium, Title: "Changes are taken back, and no validating policy stands behind"},
	find: findMutationWithoutBackstop,
}

func findMutationWithoutBackstop(ctx context.Context, v *view) ([]Finding, error) {
	all := v.simulator.Policies()
	if len(all.Mutating) == 0 {
		return nil, nil
	}
	simulator, err := v.simulator.WithPolicies(ctx, leavingOut(all, func(name policyName) bool { return name.kind == kindMutating }))
	if err != nil {
		return nil, err
	}
	t := &trier{simulator: simulator, requester: OrdinaryUser(), related: annotationPolicies(simulator.Policies())}
	open := func(s *stop) bool {
		return passes(t.tryProbe(ctx, s.Probe, &controls{trier: t, object: s.object}).protection)
	}
	var findings []Finding
	for _, p := range v.policies {
		if u := v.undoing(p, open); len(u.stops) > 0 {
			findings = append(findings, v.backstopFinding(p, u))
		}
	}
	return findings, ctx.Err()
}

func (v *view) backstopFinding(p guardPolicy, u *undoing) Finding {
	webhooks, severity := u.webhooks(), Medium
	called := fmt.Sprintf("Such a request calls %s, and what that does is not known.", enumerate(webhooks))
	if len(webhooks) == 0 {
		called, severity = "None is there today that would be called.", Low
	}
	return Finding{
		Severity: severity,
		Subject:  Subject{Kind: p.kind, Name: p.name},
		Message: fmt.Sprintf("The policy takes back %s, and no validating policy refuses them. Mutating webhooks run behind it on the same request, and a downscaler/ annotation that one of them adds is stored. %s",
			u.what(), called),
		Evidence: v.evidence(u.shown(), ""),
		Remedy: "Add a ValidatingAdmissionPolicy for the same changes, with a binding that denies: it sees what is left after all mutations. " +
			"policies render --values FILE --hardened prints one behind each mutating policy.",
	}
}

// webhooks are the configurations of mutating webhooks that the changes call.
func (u *undoing) webhooks() []string {
	var names []string
	for _, s := range u.stops {
		for _, gap := range s.result.Assumptions {
			if strings.HasPrefix(gap.What, "MutatingWebhookConfiguration ") && !slices.Contains(names, gap.What) {
				names = append(names, gap.What)
			}
		}
	}
	slices.Sort(names)
	return names
}
