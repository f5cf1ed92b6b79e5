package audit

import (
	"cmp"
	"context"
	"slices"
)

// rule is one way in which a guard fails.
type rule struct {
	Rule
	// find returns the findings, with an ID and a severity only where they differ from the rule's. No finding
	// without evidence.
	find func(ctx context.Context, v *view) ([]Finding, error)
}

// Rule describes one rule. Its ID and meaning never change once released; docs/rules/ID.md explains it.
type Rule struct {
	ID string
	// Severity is the one of most of the rule's findings.
	Severity Severity
	Title    string
}

// rules is the table of all rules.
var rules = []rule{
	noPolicy,
	policyWithoutBinding,
	bindingWithoutPolicy,
	bindingDoesNotDeny,
	policyDoesNotCompile,
	policyTypeError,
	policyErrorsIgnored,
	policyAlwaysFails,
	policyAPINotServed,
	parameterMissing,
	celBudget,
	kindNotCovered,
	namespaceAnnotationsNotCovered,
	removalNotPrevented,
	changeNotCovered,
	subresourceNotCovered,
	replicasetsNotCovered,
	deleteAndRecreate,
	orderDependentMutation,
	mutationWithoutBackstop,
	silentMutation,
	namespaceExcluded,
	selectorOptOut,
	matchConditionOptOut,
	unanchoredPattern,
	patternAuthorizesEveryone,
	privilegedPath,
	policyEditable,
	defaultServiceAccountExempt,
	webhookSkippedByName,
	unknownAnnotation,
	invalidAnnotationValue,
	incompatibleAnnotations,
	expiredExclusion,
	templateDrift,
	valuesRule("values-removal-without-enabled", High, "The values prevent removals in a scope that they don't enable"),
	valuesRule("values-removal-scopes-coupled", Low, "The values prevent removals in one scope, and the chart in both"),
	valuesRule("values-actions-list", High, "The chart writes several validationActions as one"),
	valuesRule("values-pattern-quoting", Critical, "A pattern of the values is not what reaches the policy"),
	valuesRule("values-service-accounts-with-mutation", High, "The chart can't render service accounts for a mutating guard"),
	valuesRule("values-too-many-patterns", High, "The values make more matchConditions than an API server takes"),
	valuesRule("values-kubernetes-version", Medium, "The chart does not render for this version of Kubernetes"),
}

// findings applies the rules. They come sorted by severity, rule and subject.
func (a *auditor) findings(ctx context.Context) ([]Finding, error) {
	v := a.view()
	all := []Finding{}
	for _, r := range a.rules {
		found, err := v.find(ctx, r)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			f.ID = cmp.Or(f.ID, r.ID)
			f.Severity = cmp.Or(f.Severity, r.Severity)
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, compareFindings)
	setApart(all)
	return all, nil
}

func compareFindings(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(slices.Index(severities, a.Severity), slices.Index(severities, b.Severity)),
		cmp.Compare(a.ID, b.ID),
		cmp.Compare(a.Subject.Kind, b.Subject.Kind),
		cmp.Compare(a.Subject.Namespace, b.Subject.Namespace),
		cmp.Compare(a.Subject.Name, b.Subject.Name),
		cmp.Compare(a.Subject.Field, b.Subject.Field),
		cmp.Compare(a.Distinct, b.Distinct),
		cmp.Compare(a.Message, b.Message),
	)
}
