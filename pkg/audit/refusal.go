package audit

import (
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// refusal is an expression of a policy that fails on a request with a change of an annotation and on the same one without, and failurePolicy Fail
// refuses both.
type refusal struct {
	policy policyName
	field  string // such as matchConditions
}

// failsClosed says whether a policy that looks at annotations could not be evaluated, and the request is refused for that.
func (j *judge) failsClosed(s policy.Step) bool {
	return s.Policy != "" && s.Decision == policy.Error && j.controls.trier.related[policyName{s.Kind, s.Policy}]
}

// refusing finds them in the probes of one object.
func refusing(object inventory.Object, all []tried) reaches[refusal] {
	found := reaches[refusal]{}
	for _, t := range all {
		if t.protection != ProtectionBlocked || len(t.acting) > 0 || len(t.orders) > 0 {
			continue
		}
		for _, s := range t.result.Steps {
			if s.Decision == policy.Error && byExpression(s) {
				found.note(refusal{policyName{s.Kind, s.Policy}, s.Because.Rule}, object, t)
			}
		}
	}
	return found
}

// byExpression says whether it is an expression that made a step what it is, and not a parameter.
func byExpression(s policy.Step) bool {
	field, _, _ := strings.Cut(s.Because.Rule, "[")
	switch field {
	case "matchConditions", "validations", "mutations":
		return true
	}
	return false
}
