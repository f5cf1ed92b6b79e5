package inventory

import (
	"fmt"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// maxMatchConditions is the API server's own limit.
const maxMatchConditions = 64

// unlawful says why the API server would not store a policy or binding: a field without which, or with which, it
// has no meaning. It is not the whole of the API server's validation, whose CEL checks are policy.CompileErrors'
// (k8s.io/kubernetes pkg/apis/admissionregistration/validation).
func unlawful(object runtime.Object) *field.Error {
	spec := field.NewPath("spec")
	var errs field.ErrorList
	switch o := object.(type) {
	case *admissionregistrationv1.ValidatingAdmissionPolicy:
		errs = policyErrors(spec, o.Spec.MatchConstraints, o.Spec.FailurePolicy, len(o.Spec.MatchConditions))
		if len(o.Spec.Validations) == 0 && len(o.Spec.AuditAnnotations) == 0 {
			errs = append(errs, field.Required(spec.Child("validations"), "validations or auditAnnotations must contain at least one item"))
		}
		errs = append(errs, validationErrors(spec.Child("validations"), o.Spec.Validations)...)
	case *admissionregistrationv1.MutatingAdmissionPolicy:
		errs = policyErrors(spec, o.Spec.MatchConstraints, o.Spec.FailurePolicy, len(o.Spec.MatchConditions))
		errs = append(errs, mutationErrors(spec, o.Spec)...)
	case *admissionregistrationv1.ValidatingAdmissionPolicyBinding:
		errs = append(bindingErrors(spec, o.Spec.PolicyName, o.Spec.ParamRef), actionErrors(spec.Child("validationActions"), o.Spec.ValidationActions)...)
	case *admissionregistrationv1.MutatingAdmissionPolicyBinding:
		errs = bindingErrors(spec, o.Spec.PolicyName, o.Spec.ParamRef)
	}
	if len(errs) == 0 {
		return nil
	}
	return errs[0]
}

func policyErrors(spec *field.Path, constraints *admissionregistrationv1.MatchResources, failurePolicy *admissionregistrationv1.FailurePolicyType, conditions int) field.ErrorList {
	var errs field.ErrorList
	if constraints == nil || len(constraints.ResourceRules) == 0 {
		errs = append(errs, field.Required(spec.Child("matchConstraints", "resourceRules"), ""))
	} else {
		for i, rule := range constraints.ResourceRules {
			errs = append(errs, ruleErrors(spec.Child("matchConstraints", "resourceRules").Index(i), rule)...)
		}
	}
	lawful := []admissionregistrationv1.FailurePolicyType{admissionregistrationv1.Fail, admissionregistrationv1.Ignore}
	if failurePolicy != nil && !slices.Contains(lawful, *failurePolicy) {
		errs = append(errs, field.NotSupported(spec.Child("failurePolicy"), *failurePolicy, lawful))
	}
	if conditions > maxMatchConditions {
		errs = append(errs, field.TooMany(spec.Child("matchConditions"), conditions, maxMatchConditions))
	}
	return errs
}

func ruleErrors(path *field.Path, rule admissionregistrationv1.NamedRuleWithOperations) field.ErrorList {
	var errs field.ErrorList
	for name, empty := range map[string]bool{
		"operations":  len(rule.Operations) == 0,
		"apiGroups":   len(rule.APIGroups) == 0,
		"apiVersions": len(rule.APIVersions) == 0,
		"resources":   len(rule.Resources) == 0,
	} {
		if empty {
			errs = append(errs, field.Required(path.Child(name), ""))
		}
	}
	lawful := []admissionregistrationv1.OperationType{
		admissionregistrationv1.OperationAll, admissionregistrationv1.Create, admissionregistrationv1.Update,
		admissionregistrationv1.Delete, admissionregistrationv1.Connect,
	}
	for i, operation := range rule.Operations {
		if !slices.Contains(lawful, operation) {
			errs = append(errs, field.NotSupported(path.Child("operations").Index(i), operation, lawful))
		}
	}
	slices.SortFunc(errs, func(a, b *field.Error) int { return slices.Compare([]string{a.Field}, []string{b.Field}) })
	return errs
}

func mutationErrors(spec *field.Path, s admissionregistrationv1.MutatingAdmissionPolicySpec) field.ErrorList {
	var errs field.ErrorList
	lawful := []admissionregistrationv1.ReinvocationPolicyType{admissionregistrationv1.NeverReinvocationPolicy, admissionregistrationv1.IfNeededReinvocationPolicy}
	if !slices.Contains(lawful, s.ReinvocationPolicy) {
		errs = append(errs, field.NotSupported(spec.Child("reinvocationPolicy"), s.ReinvocationPolicy, lawful))
	}
	if len(s.Mutations) == 0 {
		errs = append(errs, field.Required(spec.Child("mutations"), "mutations must contain at least one item"))
	}
	for i, m := range s.Mutations {
		if m.JSONPatch == nil && m.PatchType == admissionregistrationv1.PatchTypeJSONPatch ||
			m.ApplyConfiguration == nil && m.PatchType == admissionregistrationv1.PatchTypeApplyConfiguration || m.PatchType == "" {
			errs = append(errs, field.Required(spec.Child("mutations").Index(i), "a patchType and the patch of that type are needed"))
		}
	}
	return errs
}

func bindingErrors(spec *field.Path, policyName string, ref *admissionregistrationv1.ParamRef) field.ErrorList {
	var errs field.ErrorList
	if policyName == "" {
		errs = append(errs, field.Required(spec.Child("policyName"), ""))
	}
	if ref == nil {
		return errs
	}
	if (ref.Name == "") == (ref.Selector == nil) {
		errs = append(errs, field.Required(spec.Child("paramRef"), "one of name or selector must be specified"))
	}
	if ref.ParameterNotFoundAction == nil {
		errs = append(errs, field.Required(spec.Child("paramRef", "parameterNotFoundAction"), ""))
	}
	return errs
}

func actionErrors(path *field.Path, actions []admissionregistrationv1.ValidationAction) field.ErrorList {
	lawful := []admissionregistrationv1.ValidationAction{admissionregistrationv1.Deny, admissionregistrationv1.Warn, admissionregistrationv1.Audit}
	var errs field.ErrorList
	if len(actions) == 0 {
		errs = append(errs, field.Required(path, ""))
	}
	for i, action := range actions {
		if !slices.Contains(lawful, action) {
			errs = append(errs, field.NotSupported(path.Index(i), action, lawful))
		}
		if slices.Contains(actions[:i], action) {
			errs = append(errs, field.Duplicate(path.Index(i), action))
		}
	}
	if slices.Contains(actions, admissionregistrationv1.Deny) && slices.Contains(actions, admissionregistrationv1.Warn) {
		errs = append(errs, field.Invalid(path, actions, "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)"))
	}
	return errs
}

// lawfulOrError returns an error for a policy or binding that the API server would not store.
func (o *fileObject) lawfulOrError() error {
	if err := unlawful(o.value); err != nil {
		return &InputError{Position: o.Position, Field: err.Field, Err: fmt.Errorf("the API server would not store this %s: %s", o.kind.Kind, err.ErrorBody())}
	}
	return nil
}
