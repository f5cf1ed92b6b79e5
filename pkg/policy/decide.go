package policy

import (
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
)

const kindValidating = "ValidatingAdmissionPolicy"

// decide returns what one policy decided: a step for the policy if it does not come to its bindings,
// else a step for each binding and parameter.
func (v *validation) decide(p *validatingPolicy) []decided {
	if err := v.request.unread(p.source, p.constraints()...); err != nil {
		return v.decideUnread(p, err)
	}
	step := Step{Phase: PhaseValidating, Kind: kindValidating, Policy: p.name()}
	matched := v.matches[p.name()]
	switch {
	case matched.err != nil:
		return []decided{configurationError(step, "failed to configure policy: ", matched.err, p.hook.Policy.Spec.FailurePolicy)}
	case !matched.matches:
		step.Decision = NotMatched
		step.Because.Rule = v.whyNot("matchConstraints", p.hook.Policy.Spec.MatchConstraints)
		return []decided{{Step: step}}
	case p.hook.ConfigurationError != nil:
		step.Because.Rule = "paramKind"
		return []decided{configurationError(step, "failed to configure policy: ", p.hook.ConfigurationError, p.hook.Policy.Spec.FailurePolicy)}
	}
	var all []decided
	for _, b := range p.hook.Bindings {
		step.Binding = b.Name
		all = append(all, v.decideBinding(step, p, b)...)
	}
	return all
}

func (v *validation) decideBinding(step Step, p *validatingPolicy, b *validating.PolicyBinding) []decided {
	matched := v.matches[p.name()+"/"+b.Name]
	failurePolicy := p.hook.Policy.Spec.FailurePolicy
	switch {
	case matched.err != nil:
		return []decided{configurationError(step, "failed to configure binding: ", matched.err, failurePolicy)}
	case !matched.matches:
		step.Decision = NotMatched
		step.Because.Rule = v.whyNot("matchResources", b.Spec.MatchResources)
		return []decided{{Step: step}}
	}
	if invocations := v.recorder.of(p.name(), b.Name); len(invocations) > 0 {
		all := make([]decided, len(invocations))
		for i, invocation := range invocations {
			step.Param = invocation.param
			all[i] = judge(step, p.hook.Policy, b, invocation)
		}
		return all
	}
	return []decided{v.withoutInvocation(step, p, b)}
}

// withoutInvocation explains why a matching binding evaluated nothing: its parameters, or a version
// that the object can't be converted to here.
func (v *validation) withoutInvocation(step Step, p *validatingPolicy, b *validating.PolicyBinding) decided {
	params, err := generic.CollectParams(p.hook.Policy.Spec.ParamKind, p.source.informer, p.source.scope, b.Spec.ParamRef, v.attributes.GetNamespace(), nil, nil)
	switch {
	case err != nil:
		step.Because.Rule = "paramRef"
		return configurationError(step, "failed to configure binding: ", err, p.hook.Policy.Spec.FailurePolicy)
	case len(params) == 0:
		return noParams(step)
	default:
		return notSimulated(step, denies(b), conversionGap(v.convertor))
	}
}

// noParams is the step of a binding that finds no parameter and whose parameterNotFoundAction is
// Allow.
func noParams(step Step) decided {
	step.Decision = Skipped
	step.Message = "no parameter found, and parameterNotFoundAction is Allow"
	step.Because.Rule = "paramRef"
	return decided{Step: step}
}

func conversionGap(c *convertor) string {
	if c.impossible != nil {
		return c.impossible.Error()
	}
	return "the object could not be converted to the version the policy matches"
}

func configurationError(step Step, prefix string, err error, failurePolicy *admissionregistrationv1.FailurePolicyType) decided {
	step.Message = prefix + err.Error()
	if ignores(failurePolicy) {
		step.Decision = ErrorIgnored
		return decided{Step: step}
	}
	step.Decision = Error
	return decided{Step: step, denies: true}
}

func notSimulated(step Step, mayDeny bool, why ...string) decided {
	step.Decision = NotSimulated
	step.Message = "not simulated: " + strings.Join(why, "; ")
	return decided{Step: step, mayDeny: mayDeny, notKnown: why}
}

func (v *validation) decideUnread(p *validatingPolicy, why error) []decided {
	step := Step{Phase: PhaseValidating, Kind: kindValidating, Policy: p.name()}
	if !v.set.mayMatch(v.attributes, v.objectInterfaces(), p.hook.Policy.Spec.MatchConstraints) {
		step.Decision = NotMatched
		step.Because.Rule = v.whyNot("matchConstraints", p.hook.Policy.Spec.MatchConstraints)
		return []decided{{Step: step}}
	}
	mayDeny := slices.ContainsFunc(p.hook.Bindings, denies) || auditAnnotationsMayDeny(p.hook.Policy)
	return []decided{notSimulated(step, mayDeny, why.Error())}
}

func ignores(failurePolicy *admissionregistrationv1.FailurePolicyType) bool {
	return failurePolicy != nil && *failurePolicy == admissionregistrationv1.Ignore
}

func denies(b *validating.PolicyBinding) bool {
	return slices.Contains(b.Spec.ValidationActions, admissionregistrationv1.Deny)
}

// notKnownText says what a step would have needed to know.
func notKnownText(fields []string) string {
	fields = slices.Compact(slices.Sorted(slices.Values(fields)))
	return fmt.Sprintf("it reads %s, which is not known", strings.Join(fields, ", "))
}
