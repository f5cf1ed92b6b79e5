package audit

import (
	"context"
	"fmt"

	"k8s.io/apiserver/pkg/authentication/serviceaccount"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// defaultServiceAccountExempt: the guard names the account by which pods of a namespace run that name none. It is tried as that account. The default
// accounts of every namespace are pattern-authorizes-everyone's.
var defaultServiceAccountExempt = rule{
	Rule: Rule{ID: "default-service-account-exempt", Severity: Medium, Title: "The guard lets the account default of a namespace through"},
	find: findDefaultServiceAccountExempt,
}

func findDefaultServiceAccountExempt(ctx context.Context, v *view) ([]Finding, error) {
	patterns, err := v.patterns(ctx)
	if err != nil {
		return nil, err
	}
	var findings []Finding
	for _, p := range patterns {
		if _, everyone := p.crowd(); everyone || p.test.Kind == policy.PartyGroup {
			continue
		}
		for _, name := range spellings(p.test) {
			namespace, account, err := serviceaccount.SplitUsername(name)
			if err != nil || account != "default" {
				continue
			}
			who, ok := p.requester(name)
			if !ok {
				continue
			}
			if passed, through := v.letThroughAs(ctx, v.telling(p.policy.policyName), who); through {
				findings = append(findings, Finding{
					Subject: p.subject(), Distinct: name,
					Message: fmt.Sprintf("%s lets the account default of namespace %s through, as which every pod there runs that names no account: %s passes.",
						p, namespace, exampleOf(*passed)),
					Evidence: v.evidenceAs(who, exampleOf(*passed), ""),
					Remedy:   fmt.Sprintf("Give the workload that needs it an account of its own in %s (in the downscaler's chart serviceAccount.create: true) and exempt that one in place of default.", namespace),
				})
			}
		}
	}
	return findings, ctx.Err()
}
