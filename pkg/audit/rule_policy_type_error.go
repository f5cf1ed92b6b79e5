package audit

import (
	"context"
	"fmt"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/listing"
)

// policyTypeError: the API server's type checker warns of an expression of a validating guard: it reads a field that some of the kinds which the
// rules list don't have. Such an expression fails for these kinds. There is one finding a policy. What does not compile at all is another rule's.
var policyTypeError = rule{
	Rule: Rule{ID: "policy-type-error", Severity: Medium, Title: "The API server's type checking warns of an expression of the guard"},
	find: findPolicyTypeError,
}

func findPolicyTypeError(ctx context.Context, v *view) ([]Finding, error) {
	guards, err := v.guards(ctx)
	if err != nil {
		return nil, err
	}
	var findings []Finding
	for _, p := range guards {
		object, validates := p.object.(*admissionregistrationv1.ValidatingAdmissionPolicy)
		if errs, err := v.compileErrors(p); !validates || err != nil || len(errs) > 0 {
			if err != nil {
				return nil, err
			}
			continue
		}
		check, incomplete, assumptions := listing.Types(ctx, v.inventory, object)
		for _, gap := range incomplete {
			v.gathered.incomplete[gap] = true
		}
		for _, gap := range assumptions {
			v.gathered.assumptions[gap] = true
		}
		if check.Warns() {
			findings = append(findings, v.typeError(p, check))
		}
	}
	return findings, ctx.Err()
}

// typeError tells what was checked here; what the cluster's own check says only where that is all there is.
func (v *view) typeError(p guardPolicy, check listing.TypeCheck) Finding {
	warnings, who := check.Warnings, "The API server's type checker, run here,"
	if len(warnings) == 0 {
		warnings, who = check.Stored.Warnings, "The cluster's type checking (status.typeChecking)"
	}
	var list, fields []string
	for _, w := range warnings {
		fields = append(fields, w.Field)
		list = append(list, w.Field+": "+oneLine(w.Message))
	}
	return Finding{
		Subject: Subject{Kind: p.kind, Name: p.name, Field: warnings[0].Field}, Distinct: contentOf(p.object, fields...),
		Message:  fmt.Sprintf("%s warns of %s: %s.", who, count(len(warnings), "expression", "expressions"), enumerate(list)),
		Evidence: commandLine([]string{"policies", "list", "-o", "wide"}, v.flags),
		Remedy:   "Correct the expression, or let it ask has(…) before it reads a field that not every kind of the rules has. For a kind without the field it fails, and failurePolicy decides.",
	}
}

// oneLine leaves out the lines in which the checker points at the place, and the end of the sentence.
func oneLine(message string) string {
	var lines []string
	for line := range strings.Lines(message) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "|") {
			lines = append(lines, line)
		}
	}
	return strings.TrimSuffix(strings.Join(lines, " "), ".")
}
