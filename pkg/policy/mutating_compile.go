package policy

import (
	"cmp"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/cel/environment"
)

// mutatingPolicy is one compiled MutatingAdmissionPolicy with its bindings.
type mutatingPolicy struct {
	policy    *mutating.Policy
	bindings  []*mutating.PolicyBinding
	source    paramSource
	evaluator mutating.PolicyEvaluator // its parts not yet recording
	mentioned mentions
}

func (p *mutatingPolicy) name() string { return p.policy.Name }

// constraints are those of the policy and of its bindings.
func (p *mutatingPolicy) constraints() []*admissionregistrationv1.MatchResources {
	all := []*admissionregistrationv1.MatchResources{p.policy.Spec.MatchConstraints}
	for _, b := range p.bindings {
		all = append(all, b.Spec.MatchResources)
	}
	return all
}

// compileMutating puts a policy together from the same parts as the API server's plugin
// (k8s.io/apiserver/pkg/admission/plugin/policy/mutating, compilePolicy, which is not exported).
func compileMutating(env *environment.EnvSet, policy *mutating.Policy, bindings []*mutating.PolicyBinding, source paramSource) (*mutatingPolicy, error) {
	c, err := newCompiler(env, policy.Spec.Variables, policy.Spec.ParamKind != nil)
	if err != nil {
		return nil, err
	}
	declarations := c.declarations(true)
	declarations.HasPatchTypes = true
	evaluator := mutating.PolicyEvaluator{
		Matcher:            c.matcher(policy.Spec.MatchConditions, policy.Spec.FailurePolicy, policy.Name),
		CompositedCompiler: c.CompositedCompiler,
	}
	compile := func(expression plugincel.ExpressionAccessor) plugincel.MutatingEvaluator {
		return &mutationEvaluator{
			MutatingEvaluator: c.CompileMutatingEvaluator(expression, declarations, compiles),
			mentions:          c.mention(expression.GetExpression()),
		}
	}
	for _, m := range policy.Spec.Mutations {
		switch {
		case m.PatchType == admissionregistrationv1.PatchTypeJSONPatch && m.JSONPatch != nil:
			evaluator.Mutators = append(evaluator.Mutators, patch.NewJSONPatcher(compile(&patch.JSONPatchCondition{Expression: m.JSONPatch.Expression})))
		case m.PatchType == admissionregistrationv1.PatchTypeApplyConfiguration && m.ApplyConfiguration != nil:
			evaluator.Mutators = append(evaluator.Mutators, patch.NewApplyConfigurationPatcher(compile(&patch.ApplyConfigurationCondition{Expression: m.ApplyConfiguration.Expression})))
		}
	}
	return &mutatingPolicy{policy: policy, bindings: bindings, source: source, evaluator: evaluator, mentioned: c.mentioned}, nil
}

// hook returns the policy as the library wants it, with the given bindings, recording under their name. A
// mutating policy's parts are not told which binding they run for, so each binding has a hook.
func (p *mutatingPolicy) hook(bindings ...*mutating.PolicyBinding) mutating.PolicyHook {
	evaluator := p.evaluator
	at := Place{Policy: p.name()}
	if len(bindings) == 1 {
		at.Binding = bindings[0].Name
	}
	evaluator.Matcher = &beginning{inner: p.evaluator.Matcher, Place: at}
	evaluator.Mutators = make([]patch.Patcher, len(p.evaluator.Mutators))
	for i, m := range p.evaluator.Mutators {
		evaluator.Mutators[i] = recordingPatcher{Patcher: m}
	}
	return mutating.PolicyHook{
		Policy:             p.policy,
		Bindings:           bindings,
		Evaluator:          evaluator,
		ParamInformer:      p.source.informer,
		ParamScope:         p.source.scope,
		ConfigurationError: p.source.configurationError,
	}
}

// hooksByParam returns a hook for each of several parameters that a binding finds, sorted by name: the API server
// goes through them in no fixed order, so that they must be put into others, too.
func (p *mutatingPolicy) hooksByParam(b *mutating.PolicyBinding, params []runtime.Object) []mutating.PolicyHook {
	params = slices.Clone(params)
	slices.SortFunc(params, func(a, b runtime.Object) int { return cmp.Compare(paramName(a), paramName(b)) })
	var hooks []mutating.PolicyHook
	for _, param := range params {
		informer, err := newStaticInformer(p.source.resource, param)
		if err != nil { // it was in such an informer before
			return []mutating.PolicyHook{p.hook(b)}
		}
		hook := p.hook(b)
		hook.ParamInformer = informer
		hook.Evaluator.Matcher.(*beginning).Param = paramName(param)
		hooks = append(hooks, hook)
	}
	return hooks
}
