package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// policyErrorsIgnored: an ordinary request makes an expression of a guard fail, and failurePolicy Ignore lets it through. There is one
// finding a policy. It is silent
//
//   - where the change is prevented all the same, by another policy;
//   - where the same request without the annotation fails alike and the policy prevents no such change anywhere: one against removals may
//     well fail on creations, which it has nothing to say about;
//   - for what does not compile, an exhausted cost budget and parameters that are missing, which are other rules'.
var policyErrorsIgnored = rule{
	Rule: Rule{ID: "policy-errors-ignored", Severity: High, Title: "A guard fails on an ordinary request, and failurePolicy Ignore lets it through"},
	find: findPolicyErrorsIgnored,
}

func findPolicyErrorsIgnored(ctx context.Context, v *view) ([]Finding, error) {
	var findings []Finding
	for _, p := range v.policies {
		columns := v.failingColumns(p)
		if len(columns) == 0 {
			continue
		}
		is, err := v.isGuard(ctx, p)
		if err != nil {
			return nil, err
		}
		if errs, err := v.compileErrors(p); !is || err != nil || len(errs) > 0 {
			if err != nil {
				return nil, err
			}
			continue
		}
		finding, err := v.errorsIgnored(ctx, p, columns)
		if err != nil {
			return nil, err
		}
		findings = append(findings, finding...)
	}
	return findings, nil
}

// failingColumns are the kinds of change that the policy lets through because it fails, of those that it would prevent.
func (v *view) failingColumns(p guardPolicy) map[Column]*failed {
	columns := map[Column]*failed{}
	for f, where := range v.gathered.failures {
		enforced := slices.ContainsFunc(p.bindings, func(b guardBinding) bool { return b.enforces && b.object.GetName() == f.binding })
		if f.policy != p.policyName || !enforced || !f.caused && !v.wouldStop(f) {
			continue
		}
		if columns[f.column] == nil {
			columns[f.column] = &failed{kinds: map[string]bool{}}
		}
		maps.Copy(columns[f.column].kinds, where.kinds)
		columns[f.column].shown = lesser(columns[f.column].shown, where.shown)
	}
	return columns
}

// wouldStop says whether the policy is there to prevent such changes: it does so elsewhere, an addition being like a creation, or it fails wherever
// it is asked.
func (v *view) wouldStop(f failure) bool {
	stops := slices.ContainsFunc(v.stops(f.policy), func(s *stop) bool {
		return s.Column == f.column || f.column == ColumnCreate && s.Column == ColumnAdd
	})
	return stops || !v.gathered.acted[f.policy] && !v.gathered.evaluated[f.policy]
}

func (v *view) errorsIgnored(ctx context.Context, p guardPolicy, columns map[Column]*failed) ([]Finding, error) {
	var changes []string
	var shown *example
	kinds := map[string]bool{}
	for _, column := range Columns() {
		if f := columns[column]; f != nil {
			changes = append(changes, changesOf[column])
			shown = lesser(shown, f.shown)
			maps.Copy(kinds, f.kinds)
		}
	}
	again, found, err := v.probeAgain(ctx, *shown)
	if err != nil || !found {
		return nil, err
	}
	at := slices.IndexFunc(again.result.Steps, func(s policy.Step) bool {
		return s.Kind == p.kind && s.Policy == p.name && failsOpen(s)
	})
	if at < 0 {
		return nil, nil
	}
	step := again.result.Steps[at]
	fields := failingFields(p, again.result.Steps, failsOpen)
	field := fields[0]
	return []Finding{{
		Subject: Subject{Kind: p.kind, Name: p.name, Field: field}, Distinct: contentOf(p.object, fields...),
		Reach: ofKinds(slices.Collect(maps.Keys(kinds))),
		Message: fmt.Sprintf("%s fails on %s of %s by an ordinary user, and failurePolicy Ignore lets them through. For example %s: %s.",
			field, enumerate(changes), enumerate(slices.Sorted(maps.Keys(kinds))), *shown, errorText(step.Message)),
		Evidence: v.evidence(*shown, ""),
		Remedy: fmt.Sprintf("Write %s so that it does not fail on such a request%s. Then set spec.failurePolicy to Fail: what fails is refused.",
			field, onlyOnCreate(columns)),
	}}, nil
}

// onlyOnCreate reminds of what is different there.
func onlyOnCreate(columns map[Column]*failed) string {
	if columns[ColumnCreate] != nil && len(columns) == 1 {
		return " (oldObject is null on CREATE)"
	}
	return ""
}
