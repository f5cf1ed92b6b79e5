package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// find applies a rule, once.
func (v *view) find(ctx context.Context, r rule) ([]Finding, error) {
	if kept, found := v.found[r.ID]; found {
		return kept, nil
	}
	findings, err := r.find(ctx, v)
	if err != nil {
		return nil, fmt.Errorf("rule %s: %w", r.ID, err)
	}
	v.found[r.ID] = findings
	return findings, nil
}

// explained says whether a finding of another rule tells of the clause already.
func (v *view) explained(ctx context.Context, c cause) (bool, error) {
	for _, r := range toldBy(c) {
		findings, err := v.find(ctx, r)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(findings, func(f Finding) bool { return c.isOf(f.Subject) }) {
			return true, nil
		}
	}
	return false, nil
}

// toldBy are the rules that are about such clauses.
func toldBy(c cause) []rule {
	switch {
	case c.by() == "namespaceSelector":
		return []rule{namespaceExcluded, selectorOptOut}
	case c.by() == "objectSelector":
		return []rule{selectorOptOut}
	case c.step.Decision == policy.NotMatched:
		return nil
	case c.by() == "paramRef" || c.by() == "paramKind":
		return []rule{parameterMissing}
	case c.step.Decision == policy.ErrorIgnored && policy.ExhaustsBudget(c.step.Message):
		return []rule{celBudget}
	case c.step.Decision == policy.ErrorIgnored:
		return []rule{policyErrorsIgnored, policyDoesNotCompile}
	}
	return []rule{matchConditionOptOut, patternAuthorizesEveryone}
}

// isOf says whether a finding's subject is the clause, or what else of the same policy's selectors, parameters and errors such a finding is told of.
func (c cause) isOf(s Subject) bool {
	own := s.Kind == c.policy.kind && s.Name == c.policy.name
	bound := slices.ContainsFunc(c.policy.bindings, func(b guardBinding) bool { return s.Kind == b.kind && s.Name == b.object.GetName() })
	if c.by() == "matchConditions" && c.step.Decision == policy.Skipped {
		return own && s.Field == c.subject.Field
	}
	if c.step.Decision != policy.NotMatched && c.step.Decision != policy.Skipped && c.step.Decision != policy.ErrorIgnored {
		return own && strings.HasPrefix(s.Field, c.subject.Field)
	}
	return own || bound
}
