package policy

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
)

// plan is what the matchers say of one mutating policy before any runs: the library matches every
// policy against the request as it came.
type plan struct {
	policy *mutatingPolicy
	hooks  []mutating.PolicyHook
	// steps are those that are settled; the bindings that run have none here.
	steps []decided
	runs  []*mutating.PolicyBinding
}

func (m *mutationRun) plan(p *mutatingPolicy) plan {
	planned := plan{policy: p}
	step := Step{Phase: PhaseMutating, Kind: kindMutating, Policy: p.name()}
	matcher, o := m.set.policyMatcher(), m.objectInterfaces()
	unread := m.request.unread(p.source, p.constraints()...)
	matches, _, _, err := matcher.DefinitionMatches(m.attributes, o, mutating.NewMutatingAdmissionPolicyAccessor(p.policy))
	if unread != nil {
		matches, err = m.set.mayMatch(m.attributes, o, p.policy.Spec.MatchConstraints), nil
	}
	switch {
	case err == nil && !matches:
		step.Decision = NotMatched
		step.Because.Rule = m.whyNot("matchConstraints", p.policy.Spec.MatchConstraints)
		planned.steps = []decided{{Step: step}}
		return planned
	case unread != nil:
		planned.steps = []decided{notSimulated(step, true, unread.Error())}
		return planned
	case err == nil && p.source.configurationError != nil:
		step.Because.Rule = "paramKind"
		err = p.source.configurationError
	}
	if err != nil {
		planned.steps = []decided{configurationError(step, "failed to configure policy: ", err, p.policy.Spec.FailurePolicy)}
		planned.hooks = []mutating.PolicyHook{p.hook(p.bindings...)}
		return planned
	}
	for _, b := range p.bindings {
		step.Binding = b.Name
		m.planBinding(&planned, step, matcher, b)
	}
	return planned
}

func (m *mutationRun) planBinding(planned *plan, step Step, matcher generic.PolicyMatcher, b *mutating.PolicyBinding) {
	p := planned.policy
	accessor := mutating.NewMutatingAdmissionPolicyBindingAccessor(b)
	matches, err := matcher.BindingMatches(m.attributes, m.objectInterfaces(), accessor)
	if err == nil && !matches {
		step.Decision = NotMatched
		step.Because.Rule = m.whyNot("matchResources", b.Spec.MatchResources)
		planned.steps = append(planned.steps, decided{Step: step})
		return
	}
	var params []runtime.Object
	if err == nil {
		params, err = generic.CollectParams(p.policy.Spec.ParamKind, p.source.informer, p.source.scope, accessor.GetParamRef(), m.attributes.GetNamespace(), nil, nil)
		if err != nil {
			step.Because.Rule = "paramRef"
		}
	}
	switch {
	case err != nil:
		planned.steps = append(planned.steps, configurationError(step, "failed to configure binding: ", err, p.policy.Spec.FailurePolicy))
	case len(params) == 0:
		planned.steps = append(planned.steps, noParams(step))
	case len(params) > 1:
		planned.runs = append(planned.runs, b)
		planned.hooks = append(planned.hooks, p.hooksByParam(b, params)...)
		return
	default:
		planned.runs = append(planned.runs, b)
	}
	planned.hooks = append(planned.hooks, p.hook(b))
}
