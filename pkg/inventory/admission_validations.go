package inventory

import (
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// lawfulReasons are those that a validation may name. The documentation lists Unauthorized as well, which no API server takes.
var lawfulReasons = []metav1.StatusReason{metav1.StatusReasonForbidden, metav1.StatusReasonInvalid, metav1.StatusReasonRequestEntityTooLarge}

// validationErrors are the mistakes in validations that have nothing to do with CEL
// (k8s.io/kubernetes pkg/apis/admissionregistration/validation, validateValidation).
func validationErrors(path *field.Path, validations []admissionregistrationv1.Validation) field.ErrorList {
	var errs field.ErrorList
	for i, v := range validations {
		path := path.Index(i)
		message := strings.TrimSpace(v.Message)
		if strings.TrimSpace(v.Expression) == "" {
			errs = append(errs, field.Required(path.Child("expression"), "expression is not specified"))
		}
		if v.MessageExpression != "" && strings.TrimSpace(v.MessageExpression) == "" {
			errs = append(errs, field.Invalid(path.Child("messageExpression"), v.MessageExpression, "must be non-empty if specified"))
		}
		switch {
		case v.Message != "" && message == "":
			errs = append(errs, field.Invalid(path.Child("message"), v.Message, "must be non-empty if specified"))
		case strings.ContainsAny(message, "\r\n"):
			errs = append(errs, field.Invalid(path.Child("message"), v.Message, "must not contain line breaks"))
		}
		if v.Reason != nil && !slices.Contains(lawfulReasons, *v.Reason) {
			errs = append(errs, field.NotSupported(path.Child("reason"), *v.Reason, lawfulReasons))
		}
	}
	return errs
}
