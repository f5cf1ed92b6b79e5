package audit

import (
	"context"
	"fmt"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// patternAuthorizesEveryone: a pattern of a policy lets everyone through, or every service account, or the default account of every namespace, or all of these whose names have a certain shape. Of
// everyone it is tried what the policy would prevent for the ordinary user if the pattern matched nobody; of the others, that they get through
// where the ordinary user is stopped.
var patternAuthorizesEveryone = rule{
	Rule: Rule{ID: "pattern-authorizes-everyone", Severity: Critical, Title: "A pattern of authorised names lets everyone through, or every service account"},
	find: findPatternAuthorizesEveryone,
}

func findPatternAuthorizesEveryone(ctx context.Context, v *view) ([]Finding, error) {
	patterns, err := v.patterns(ctx)
	if err != nil {
		return nil, err
	}
	var findings []Finding
	for _, p := range patterns {
		c, whole := p.crowd()
		if !whole {
			continue
		}
		whose := "a name that nobody has"
		if there := v.realDefaults(p); len(there) > 0 && !sameRequester(c.some[0], OrdinaryUser()) {
			c.some, whose = there, "an account that there is"
		}
		passed, err := v.crowdPasses(ctx, p, c)
		if err != nil {
			return nil, err
		}
		if passed == nil {
			continue
		}
		e := exampleOf(*passed)
		findings = append(findings, Finding{
			Subject: p.subject(), Distinct: p.distinct(),
			Message: fmt.Sprintf("%s lets %s through. It was tried as %s, %s: %s passes, and %s %s prevents it for those whom no pattern matches.",
				p, c.called, nameTried(c.some[0]), whose, e, p.policy.kind, p.policy.name),
			Evidence: v.evidenceAs(c.some[0], e, ""),
			Remedy:   "Take the pattern out, or write one that matches the names that are meant and no others, between \"^(?:\" and \")$\".",
		})
	}
	return findings, nil
}

// nameTried names a requester, with a group that matters.
func nameTried(who request.Requester) string {
	if who.Username == OrdinaryUser().Username && len(who.Groups) > len(OrdinaryUser().Groups) {
		return fmt.Sprintf("%s in the group %s", who.Username, who.Groups[0])
	}
	return who.Username
}

// crowdPasses returns a change that a crowd can make on account of a pattern; nil where it can make none.
func (v *view) crowdPasses(ctx context.Context, p pattern, c crowd) (*tried, error) {
	if !sameRequester(c.some[0], OrdinaryUser()) {
		passed, _ := v.letThroughAs(ctx, v.telling(p.policy.policyName), c.some[0])
		return passed, nil
	}
	policies := withoutPattern(v.simulator.Policies(), p)
	if policies == nil {
		return nil, nil
	}
	simulator, err := v.simulator.WithPolicies(ctx, policies)
	if err != nil {
		return nil, err
	}
	t := &trier{simulator: simulator, requester: OrdinaryUser(), related: annotationPolicies(policies)}
	for _, kind := range v.kinds {
		if passed := v.passesUnless(ctx, t, p.policy.policyName, v.sampleOf(kind.kind).first.object); passed != nil {
			return passed, nil
		}
	}
	return nil, nil
}

// passesUnless returns the best example of a change of an object that passes, and that a policy prevents for another trier.
func (v *view) passesUnless(ctx context.Context, other *trier, by policyName, object inventory.Object) *tried {
	var best *tried
	really := v.trier("").try(ctx, object)
	for i, one := range other.try(ctx, object) {
		if !one.protection.Prevents() || !slices.Contains(policiesOf(one.acting), by) || !passes(really[i].protection) {
			continue
		}
		if best == nil || exampleOf(really[i]).compare(exampleOf(*best)) < 0 {
			best = &really[i]
		}
	}
	return best
}

// nobodysName is no requester's and no group's.
const nobodysName = "a name that nobody has, with spaces"

// withoutPattern returns the policies with a name that nobody has in the place of a pattern; nil where it does not stand in the policy as one constant.
func withoutPattern(all *inventory.Policies, p pattern) *inventory.Policies {
	other := *all
	replaced := false
	replace := func(expression *string) {
		changed, found, err := policy.ReplaceText(*expression, p.test.Text, nobodysName)
		if err == nil { // else it does not compile, and what becomes of that is another rule's matter
			*expression, replaced = changed, replaced || found
		}
	}
	switch object := p.policy.object.(type) {
	case *admissionregistrationv1.ValidatingAdmissionPolicy:
		object = object.DeepCopy()
		replaceConditions(object.Spec.MatchConditions, object.Spec.Variables, replace)
		for i := range object.Spec.Validations {
			replace(&object.Spec.Validations[i].Expression)
		}
		other.Validating = substituted(all.Validating, object)
	case *admissionregistrationv1.MutatingAdmissionPolicy:
		object = object.DeepCopy()
		replaceConditions(object.Spec.MatchConditions, object.Spec.Variables, replace)
		other.Mutating = substituted(all.Mutating, object)
	}
	if !replaced {
		return nil
	}
	return &other
}

func replaceConditions(conditions []admissionregistrationv1.MatchCondition, variables []admissionregistrationv1.Variable, replace func(*string)) {
	for i := range conditions {
		replace(&conditions[i].Expression)
	}
	for i := range variables {
		replace(&variables[i].Expression)
	}
}

// substituted is a list with another policy in the place of the one of its name.
func substituted[P interface{ GetName() string }](all []P, other P) []P {
	all = slices.Clone(all)
	all[slices.IndexFunc(all, func(p P) bool { return p.GetName() == other.GetName() })] = other
	return all
}
