package audit

import (
	"context"
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// bindingDoesNotDeny: a binding with [Warn] or [Audit] alone lets the change through. It is found by a change that passed and
// of which the policy warned, or which it audited, on account of the annotation. So it is silent for policies that warn of
// something else, and where another binding denies what this one only notes.
var bindingDoesNotDeny = rule{
	Rule: Rule{ID: "binding-does-not-deny", Severity: High, Title: "A binding of the guard warns or audits and lets the change through"},
	find: findBindingDoesNotDeny,
}

func findBindingDoesNotDeny(_ context.Context, v *view) ([]Finding, error) {
	var findings []Finding
	for by, open := range v.gathered.letThrough {
		findings = append(findings, Finding{
			Subject: Subject{Kind: kindValidatingBinding, Name: by.Binding, Field: "spec.validationActions"},
			Message: fmt.Sprintf("The validationActions are %v. %s %s objects to an ordinary user's %s on %s, and they are stored nevertheless: for example %s.",
				v.actionsOf(by), by.Kind, by.Policy, open.changes(), open.where(), open.shown),
			Evidence: v.evidence(*open.shown, ""),
			Remedy:   "Set spec.validationActions to [Deny], or [Deny, Audit].",
			Reach:    v.extentBy(by, open),
		})
	}
	return findings, nil
}

func (v *view) actionsOf(by simulate.By) []admissionregistrationv1.ValidationAction {
	for _, b := range v.simulator.Policies().ValidatingBindings {
		if b.Name == by.Binding {
			return b.Spec.ValidationActions
		}
	}
	return nil
}
