package audit

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// failingFields name the expressions that failed, by those of the policy's steps that count as failures. Of matchConditions, which the API server judges together, the error quotes them.
func failingFields(p guardPolicy, steps []policy.Step, fails func(policy.Step) bool) []string {
	var fields []string
	for _, step := range steps {
		if step.Kind != p.kind || step.Policy != p.name || !fails(step) {
			continue
		}
		field, before := "spec."+step.Because.Rule, len(fields)
		switch {
		case strings.HasPrefix(step.Because.Rule, "validations["):
			fields = append(fields, field+".expression")
		case strings.HasPrefix(step.Because.Rule, "matchConditions"):
			for i, c := range p.conditions {
				if strings.Contains(step.Message, "'"+c.Expression+"'") {
					fields = append(fields, fmt.Sprintf("%s[%d].expression", field, i))
				}
			}
		}
		if len(fields) == before {
			fields = append(fields, field)
		}
	}
	return fields
}

// errorText is the first error of a message, without the expression that the API server quotes before it.
func errorText(message string) string {
	_, text, found := strings.Cut(message, "resulted in error: ")
	text, _, _ = strings.Cut(cmp.Or(text, message), "; expression '")
	if !found {
		return strings.TrimSuffix(message, ".")
	}
	return strings.TrimSuffix(strings.TrimSpace(text), ".")
}
