package audit

import (
	"context"
	"fmt"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// policyAPINotServed: a manifest of the guard is written in a version of the API that the server does not serve. It can't be installed, while the audit decides by it as
// if it were. There is one finding a policy, with its bindings, and one for each binding whose policy is served.
var policyAPINotServed = rule{
	Rule: Rule{ID: "policy-api-not-served", Severity: High, Title: "A manifest of the guard is written in an API version that the server does not serve"},
	find: findPolicyAPINotServed,
}

func findPolicyAPINotServed(ctx context.Context, v *view) ([]Finding, error) {
	guards, err := v.guards(ctx)
	if err != nil {
		return nil, err
	}
	var findings []Finding
	for _, p := range guards {
		var bindings []Finding
		var names []string
		for _, b := range p.bindings {
			if f, found := v.notServed(b.kind, b.object.GetName(), nil); found {
				bindings = append(bindings, f)
				names = append(names, b.kind+" "+b.object.GetName())
			}
		}
		if f, found := v.notServed(p.kind, p.name, names); found {
			bindings = []Finding{f}
		}
		findings = append(findings, bindings...)
	}
	return findings, nil
}

func (v *view) notServed(kind, name string, with []string) (Finding, bool) {
	written, known := inventory.Written(v.inventory, kind, name)
	if !known {
		return Finding{}, false
	}
	why := inventory.NotServed(v.inventory, written.WithKind(kind))
	if why == "" {
		return Finding{}, false
	}
	text := fmt.Sprintf("It is written in %s, which Kubernetes %s does not serve by default: %s. So it can't be installed there, and the audit of what is proposed takes it as if it were.",
		written, v.inventory.Server().Version, why)
	if len(with) > 0 {
		text += fmt.Sprintf(" The same goes for %s.", enumerate(with))
	}
	return Finding{
		Subject: Subject{Kind: kind, Name: name, Field: "apiVersion"}, Distinct: written.String(),
		Message:  text,
		Evidence: commandLine([]string{"audit", "-o", "wide"}, v.flags),
		Remedy:   v.servedRemedy(kind, written.String()),
	}, true
}

// servedRemedy names the version that is served, if the server has one without being told to.
func (v *view) servedRemedy(kind, written string) string {
	best, err := inventory.PolicyVersion(kind, v.inventory.Server().Version)
	if err == nil && !strings.Contains(best, "beta") && !strings.Contains(best, "alpha") {
		return fmt.Sprintf("Write apiVersion: admissionregistration.k8s.io/%s; the fields are the same. GoKubeDownscaler's Helm chart (1.3) writes mutating policies as v1beta1: policies render --values FILE prints them as the server takes them.", best)
	}
	return fmt.Sprintf("Switch the version on at the API server with --runtime-config=%s=true, or let a validating policy guard the annotations; that is served without.", written)
}
