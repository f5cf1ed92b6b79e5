package audit

import (
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

// validatingExpressions are all CEL expressions of a policy.
func validatingExpressions(spec admissionregistrationv1.ValidatingAdmissionPolicySpec) []string {
	expressions := sharedExpressions(spec.MatchConditions, spec.Variables)
	for _, v := range spec.Validations {
		expressions = append(expressions, v.Expression, v.MessageExpression)
	}
	for _, a := range spec.AuditAnnotations {
		expressions = append(expressions, a.ValueExpression)
	}
	return expressions
}

func mutatingExpressions(spec admissionregistrationv1.MutatingAdmissionPolicySpec) []string {
	expressions := sharedExpressions(spec.MatchConditions, spec.Variables)
	for _, m := range spec.Mutations {
		if m.ApplyConfiguration != nil {
			expressions = append(expressions, m.ApplyConfiguration.Expression)
		}
		if m.JSONPatch != nil {
			expressions = append(expressions, m.JSONPatch.Expression)
		}
	}
	return expressions
}

func sharedExpressions(conditions []admissionregistrationv1.MatchCondition, variables []admissionregistrationv1.Variable) []string {
	var expressions []string
	for _, c := range conditions {
		expressions = append(expressions, c.Expression)
	}
	for _, v := range variables {
		expressions = append(expressions, v.Expression)
	}
	return expressions
}
