package listing

import (
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
)

// aboutAnnotations says whether a policy may be about the downscaler's annotations. One with parameters may find the prefix there.
func (s subject) aboutAnnotations() bool {
	return s.mentions(downscaler.Prefix) || (s.paramKind != nil || s.mentions("annotations")) && s.matchesGuarded()
}

func (s subject) mentions(text string) bool {
	return slices.ContainsFunc(s.expressions, func(e string) bool { return strings.Contains(e, text) })
}

// matchesGuarded says whether some rule lists a kind that the downscaler reads annotations from, in whatever version: the API server
// matches the others by default, too.
func (s subject) matchesGuarded() bool {
	if s.constraints == nil {
		return false
	}
	return slices.ContainsFunc(s.constraints.ResourceRules, func(rule admissionregistrationv1.NamedRuleWithOperations) bool {
		return lists(rule, downscaler.Namespaces.GroupResource()) ||
			slices.ContainsFunc(downscaler.Kinds(), func(k downscaler.Kind) bool { return lists(rule, k.Resource.GroupResource()) })
	})
}

// lists says whether a rule lists a resource or one of its subresources.
func lists(rule admissionregistrationv1.NamedRuleWithOperations, resource schema.GroupResource) bool {
	inGroup := slices.Contains(rule.APIGroups, "*") || slices.Contains(rule.APIGroups, resource.Group)
	return inGroup && slices.ContainsFunc(rule.Resources, func(listed string) bool {
		name, _, _ := strings.Cut(listed, "/")
		return name == "*" || name == resource.Resource
	})
}

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
