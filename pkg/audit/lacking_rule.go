package audit

import (
	"context"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// lackingRule finds a policy in force that prevents removals of other kinds and lacks only a rule for a kind.
func (v *view) lackingRule(ctx context.Context, t *tally) (name policyName, found bool, err error) {
	enforced, err := v.enforcedGuards(ctx)
	if err != nil {
		return policyName{}, false, err
	}
	for _, p := range enforced {
		if found, err = v.lacksOnlyRule(ctx, p, t); found || err != nil {
			return p.policyName, found, err
		}
	}
	return policyName{}, false, nil
}

// lacksOnlyRule tries it: alone, the policy prevents some removals and sees no request for objects of the kind, and with a
// rule for it prevents their removals, too.
func (v *view) lacksOnlyRule(ctx context.Context, p guardPolicy, t *tally) (bool, error) {
	alone, err := v.tryAlone(ctx, p)
	if err != nil || !alone.keeping[p.policyName] {
		return false, err
	}
	policies := enforcedAlone(p)
	asIs, err := v.tryBy(ctx, t, policies)
	if err != nil || slices.ContainsFunc(asIs, func(one tried) bool { return one.meets(p.policyName) }) {
		return false, err
	}
	listOnly(policies, t.kind)
	listing, err := v.tryBy(ctx, t, policies)
	return guardOf(listing).Remove.Prevents(), err
}

// tryBy tries a kind's first object by some policies alone.
func (v *view) tryBy(ctx context.Context, t *tally, policies *inventory.Policies) ([]tried, error) {
	simulator, err := v.simulator.WithPolicies(ctx, policies)
	if err != nil {
		return nil, err
	}
	alone := trier{simulator: simulator, requester: OrdinaryUser(), related: annotationPolicies(policies)}
	return alone.try(ctx, v.sampleOf(t.kind).first.object), nil
}

// listOnly makes policies and bindings list one kind and nothing else.
func listOnly(policies *inventory.Policies, kind inventory.Kind) {
	rules := []admissionregistrationv1.NamedRuleWithOperations{{RuleWithOperations: admissionregistrationv1.RuleWithOperations{
		Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Create, admissionregistrationv1.Update},
		Rule: admissionregistrationv1.Rule{
			APIGroups: []string{kind.Resource.Group}, APIVersions: []string{"*"}, Resources: []string{kind.Resource.Resource},
		},
	}}}
	for _, match := range matchesOf(policies) {
		match.ResourceRules, match.ExcludeResourceRules = rules, nil
	}
}

// matchesOf are what policies and bindings match.
func matchesOf(policies *inventory.Policies) []*admissionregistrationv1.MatchResources {
	var found []*admissionregistrationv1.MatchResources
	for _, p := range policies.Validating {
		found = append(found, p.Spec.MatchConstraints)
	}
	for _, p := range policies.Mutating {
		found = append(found, p.Spec.MatchConstraints)
	}
	for _, b := range policies.ValidatingBindings {
		found = append(found, b.Spec.MatchResources)
	}
	for _, b := range policies.MutatingBindings {
		found = append(found, b.Spec.MatchResources)
	}
	return slices.DeleteFunc(found, func(match *admissionregistrationv1.MatchResources) bool { return match == nil })
}
