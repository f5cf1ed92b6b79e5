package policy

import (
	"slices"
	"strconv"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
)

// judge turns one evaluation of a validating policy into its step.
func judge(step Step, policy *validating.Policy, b *validating.PolicyBinding, i *invocation) decided {
	d := decided{Step: step, invocation: i}
	if len(i.notKnown) > 0 {
		d = notSimulated(step, denies(b) || auditAnnotationsMayDeny(policy), notKnownText(i.notKnown))
		d.invocation = i
		return d
	}
	if len(i.messageUnknown) > 0 {
		d.notKnown = []string{"its message or audit annotations: " + notKnownText(i.messageUnknown)}
	}
	if i.skipped {
		d.Step = skippedStep(step, policy.Spec.MatchConditions, i)
		return d
	}
	d.denies = d.judgeDecisions(policy, b, i)
	if failed := auditAnnotationErrors(i.result); len(failed) > 0 {
		d.denies = true
		d.Decision = Error
		d.Message = strings.Join(failed, "; ")
		d.Because = Because{Rule: "auditAnnotations"}
	}
	return d
}

// skippedStep is the step of a policy whose matchConditions say that it does not apply, be it that
// one is false or that one failed and failurePolicy is Ignore.
func skippedStep(step Step, conditions []admissionregistrationv1.MatchCondition, i *invocation) Step {
	if i.skippedBy == "" {
		step.Decision = ErrorIgnored
		step.Message = i.conditionError
		step.Because.Rule = "matchConditions"
		return step
	}
	step.Decision = Skipped
	step.Because.MatchCondition = i.skippedBy
	at := slices.IndexFunc(conditions, func(c admissionregistrationv1.MatchCondition) bool { return c.Name == i.skippedBy })
	if at >= 0 {
		step.Because.Rule = "matchConditions[" + strconv.Itoa(at) + "]"
		step.Because.Expression = conditions[at].Expression
	}
	return step
}

// judgeDecisions sets the step's decision from those of the validations and the binding's
// validationActions, and says whether it denies the request.
func (d *decided) judgeDecisions(policy *validating.Policy, b *validating.PolicyBinding, i *invocation) bool {
	d.Decision = Admitted
	var messages []string
	for index, decision := range i.result.Decisions {
		failed := decision.Action == validating.ActionDeny
		if !failed && decision.Evaluation != validating.EvalError {
			continue
		}
		messages = append(messages, decision.Message)
		if len(messages) == 1 {
			d.Because = because(policy, i, index)
		}
		d.Decision = stronger(d.Decision, decisionOf(decision, b))
	}
	d.Message = strings.Join(messages, "; ")
	return d.Decision == Denied || d.Decision == Error
}

// because names the validation of a decision; a failed matchCondition decides for all of them at once.
func because(policy *validating.Policy, i *invocation, index int) Because {
	if i.conditionError != "" {
		return Because{Rule: "matchConditions"}
	}
	if index >= len(policy.Spec.Validations) {
		return Because{}
	}
	return Because{Rule: "validations[" + strconv.Itoa(index) + "]", Expression: policy.Spec.Validations[index].Expression}
}

func decisionOf(decision validating.PolicyDecision, b *validating.PolicyBinding) Decision {
	isError := decision.Evaluation == validating.EvalError
	switch {
	case decision.Action != validating.ActionDeny:
		return ErrorIgnored
	case denies(b) && isError:
		return Error
	case denies(b):
		return Denied
	case slices.Contains(b.Spec.ValidationActions, admissionregistrationv1.Warn):
		return Warned
	case slices.Contains(b.Spec.ValidationActions, admissionregistrationv1.Audit):
		return Audited
	}
	return Admitted
}

// strength orders the decisions of several validations of one policy: the strongest is the step's.
var strength = []Decision{Admitted, ErrorIgnored, Audited, Warned, Error, Denied}

func stronger(a, b Decision) Decision {
	if slices.Index(strength, b) > slices.Index(strength, a) {
		return b
	}
	return a
}

func auditAnnotationErrors(result *validating.ValidateResult) []string {
	var messages []string
	for _, a := range result.AuditAnnotations {
		if a.Action == validating.AuditAnnotationActionError {
			messages = append(messages, a.Error)
		}
	}
	return messages
}

// auditAnnotationsMayDeny says whether an audit annotation that fails denies the request, which it does whatever the
// binding's validationActions are.
func auditAnnotationsMayDeny(policy *validating.Policy) bool {
	return len(policy.Spec.AuditAnnotations) > 0 && !ignores(policy.Spec.FailurePolicy)
}
