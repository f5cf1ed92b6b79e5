package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// policyDoesNotCompile: a CEL expression that the server's version rejects. Only policies that name the prefix are looked
// at: one that does not compile can't be told by what it does. There is one finding a policy.
var policyDoesNotCompile = rule{
	Rule: Rule{ID: "policy-does-not-compile", Severity: Critical, Title: "The server's version rejects an expression of the guard"},
	find: findPolicyDoesNotCompile,
}

func findPolicyDoesNotCompile(ctx context.Context, v *view) ([]Finding, error) {
	var findings []Finding
	for _, p := range v.policies {
		if !p.text.NamesPrefix() {
			continue
		}
		errs, err := v.compileErrors(p)
		if err != nil {
			return nil, err
		}
		if len(errs) > 0 {
			findings = append(findings, v.doesNotCompile(ctx, p, errs))
		}
	}
	return findings, nil
}

// compileErrors compiles what a cluster has as what is stored there, and what manifests have as what is still to be. Of a newer server
// than those known none is an error for certain; what it is not tried for is told among what is incomplete.
func (v *view) compileErrors(p guardPolicy) ([]policy.CompileError, error) {
	server := v.inventory.Server()
	if policy.Newer(server.Version) {
		return nil, nil
	}
	use := policy.Stored
	if server.Assumed {
		use = policy.New
	}
	switch object := p.object.(type) {
	case *admissionregistrationv1.ValidatingAdmissionPolicy:
		return policy.CompileErrors(object, use, server.Version)
	case *admissionregistrationv1.MutatingAdmissionPolicy:
		return policy.MutatingCompileErrors(object, use, server.Version)
	}
	return nil, nil
}

func (v *view) doesNotCompile(ctx context.Context, p guardPolicy, errs []policy.CompileError) Finding {
	var list, fields []string
	for _, e := range errs {
		fields = append(fields, e.Field)
		list = append(list, fmt.Sprintf("%s: %s", e.Field, strings.TrimSpace(e.Message)))
	}
	return Finding{
		Subject: Subject{Kind: p.kind, Name: p.name, Field: errs[0].Field}, Distinct: contentOf(p.object, fields...),
		Message: fmt.Sprintf("Kubernetes %s rejects %s of the policy: %s. The API server does not store such a policy; one that is stored decides by its failurePolicy.%s",
			v.inventory.Server().Version, count(len(errs), "expression", "expressions"), enumerate(list), v.followsFromValues()),
		Evidence: v.compileEvidence(ctx, p),
		Remedy:   "Correct the expression; the message shows where it fails.",
	}
}

// compileEvidence is an addition that meets the policy, and the audit itself where no object of the cluster does.
func (v *view) compileEvidence(ctx context.Context, p guardPolicy) string {
	for _, t := range v.kinds {
		for _, one := range v.trier("").try(ctx, v.sampleOf(t.kind).first.object) {
			if one.Column == ColumnAdd && one.meets(p.policyName) {
				return v.evidence(exampleOf(one), "")
			}
		}
	}
	return commandLine([]string{"audit"}, v.flags)
}

// meets says whether a policy's rules and selectors let it see the request.
func (t tried) meets(name policyName) bool {
	return slices.ContainsFunc(t.result.Steps, func(s policy.Step) bool {
		return s.Kind == name.kind && s.Policy == name.name && s.Decision != policy.NotMatched
	})
}
