package audit

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
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
		for _, name := range v.defaultNames(p) {
			finding, found := v.defaultFinding(ctx, p, name)
			if found {
				findings = append(findings, finding)
			}
		}
	}
	return findings, ctx.Err()
}

// defaultNames are the user names of the accounts default that a pattern is meant for. Where it leaves the namespace open, they are those of the namespaces that
// there are, and one that stands for others where there are none.
func (v *view) defaultNames(p pattern) []string {
	var names []string
	for _, name := range spellings(p.test) {
		namespace, account, err := serviceaccount.SplitUsername(name)
		switch {
		case err != nil || account != "default":
		case p.spells(namespace):
			names = append(names, name)
		default:
			for _, who := range v.realDefaults(p) {
				names = append(names, who.Username)
			}
			if len(names) == 0 {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// spells says whether a name stands in the pattern, and was not made of a class or a wildcard in it.
func (p pattern) spells(name string) bool {
	return strings.Contains(p.test.Text, name) || strings.Contains(p.test.Text, regexp.QuoteMeta(name))
}

func (v *view) defaultFinding(ctx context.Context, p pattern, name string) (Finding, bool) {
	namespace, _, err := serviceaccount.SplitUsername(name)
	who, ok := p.requester(name)
	if err != nil || !ok {
		return Finding{}, false
	}
	passed, through := v.letThroughAs(ctx, v.telling(p.policy.policyName), who)
	if !through {
		return Finding{}, false
	}
	f := Finding{
		Subject: p.subject(), Distinct: name,
		Message: fmt.Sprintf("%s lets the account default of namespace %s through, as which every pod there runs that names no account: %s passes.",
			p, namespace, exampleOf(*passed)),
		Evidence: v.evidenceAs(who, exampleOf(*passed), ""),
		Remedy:   fmt.Sprintf("Give the workload that needs it an account of its own in %s (in the downscaler's chart serviceAccount.create: true) and exempt that one in place of default.", namespace),
	}
	if _, err := v.inventory.Namespace(ctx, namespace); apierrors.IsNotFound(err) && !p.spells(namespace) {
		f.Distinct = p.distinct()
		f.Message = fmt.Sprintf("%s lets the account default of every namespace through whose name it matches, as which every pod there runs that names no account. There is none yet; tried as %s, %s passes.",
			p, name, exampleOf(*passed))
		f.Remedy = "Write the namespaces that are meant in place of the part that is open, and an account other than default (in the downscaler's chart serviceAccount.create: true)."
	}
	return f, true
}
