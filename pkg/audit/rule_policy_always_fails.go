package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// policyAlwaysFails: an expression of a guard fails on a request with a change of an annotation and without one, and failurePolicy Fail refuses both: for everybody,
// also for those whom the guard is meant to let through. There is one finding a policy. What does not compile and parameters that are missing are other rules'.
var policyAlwaysFails = rule{
	Rule: Rule{ID: "policy-always-fails", Severity: High, Title: "A guard fails on requests without any annotation, too, and failurePolicy Fail refuses them"},
	find: findPolicyAlwaysFails,
}

func findPolicyAlwaysFails(ctx context.Context, v *view) ([]Finding, error) {
	var findings []Finding
	for _, p := range v.policies {
		where, found := v.refusalsOf(p.policyName)
		if !found {
			continue
		}
		is, err := v.isGuard(ctx, p)
		if err != nil {
			return nil, err
		}
		errs, err := v.compileErrors(p)
		if err != nil {
			return nil, err
		}
		if !is || len(errs) > 0 {
			continue
		}
		finding, found, err := v.alwaysFails(ctx, p, where)
		if err != nil {
			return nil, err
		}
		if found {
			findings = append(findings, finding)
		}
	}
	return findings, nil
}

// refusalsOf is how far the failures of one of a policy's fields go.
func (v *view) refusalsOf(p policyName) (*reach, bool) {
	var fields []string
	for r := range v.gathered.refusals {
		if r.policy == p {
			fields = append(fields, r.field)
		}
	}
	if len(fields) == 0 {
		return nil, false
	}
	// One is enough: mended, it makes way for the next.
	return v.gathered.refusals[refusal{p, slices.Min(fields)}], true
}

func (v *view) alwaysFails(ctx context.Context, p guardPolicy, where *reach) (Finding, bool, error) {
	again, found, err := v.probeAgain(ctx, *where.shown)
	if err != nil || !found {
		return Finding{}, false, err
	}
	fails := func(s policy.Step) bool {
		return s.Kind == p.kind && s.Policy == p.name && s.Decision == policy.Error && byExpression(s)
	}
	at := slices.IndexFunc(again.result.Steps, fails)
	if at < 0 {
		return Finding{}, false, nil
	}
	fields := failingFields(p, again.result.Steps, fails)
	return Finding{
		Subject: Subject{Kind: p.kind, Name: p.name, Field: fields[0]}, Distinct: contentOf(p.object, fields...),
		Message: fmt.Sprintf("%s fails on requests with and without a downscaler/ annotation, and failurePolicy Fail refuses them, whoever makes them: %s of %s. For example %s: %s.",
			fields[0], where.changes(), where.where(), *where.shown, errorText(again.result.Steps[at].Message)),
		Evidence: v.evidence(*where.shown, ""),
		Remedy:   fmt.Sprintf("Write %s so that it has an answer for every request. Leave failurePolicy as it is: with Ignore what fails is let through.", fields[0]),
	}, true, nil
}
