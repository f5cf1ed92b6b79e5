package policy

import (
	"cmp"
	"context"
	"reflect"
	"slices"

	"github.com/google/cel-go/common/types"
	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/authorization/authorizer"
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

// beginning opens an invocation's record before its matchConditions, if any, are evaluated.
type beginning struct {
	Place
	inner matchconditions.Matcher
}

// placeOf returns where a hook of the method hook runs.
func placeOf(hook mutating.PolicyHook) Place { return hook.Evaluator.Matcher.(*beginning).Place }

// Match implements matchconditions.Matcher.
func (b *beginning) Match(ctx context.Context, attr *admission.VersionedAttributes, param runtime.Object, authorizer authorizer.UnconditionalAuthorizer) matchconditions.MatchResult {
	current := recorderFrom(ctx).begin(b.Policy, b.Binding, param)
	current.reinvoked = attr.GetReinvocationContext().IsReinvoke()
	if b.inner == nil {
		return matchconditions.MatchResult{Matches: true}
	}
	result := b.inner.Match(ctx, attr, param, authorizer)
	current.matchError = result.Error
	return result
}

// recordingPatcher remembers what a mutation did to the object.
type recordingPatcher struct{ patch.Patcher }

// Patch implements patch.Patcher.
func (p recordingPatcher) Patch(ctx context.Context, request patch.Request, budget int64) (runtime.Object, error) {
	current := recorderFrom(ctx).current
	before := request.VersionedAttributes.VersionedObject.Object()
	after, err := p.Patcher.Patch(ctx, request, budget)
	m := mutation{err: err}
	if err == nil && after != before {
		m.changes = annotationChanges(before, after)
		m.changed = len(m.changes) > 0 || !sameObject(before, after)
	}
	current.mutations = append(current.mutations, m)
	return after, err
}

// sameObject compares an object with a patcher's result, which may be the unstructured form of a typed
// one.
func sameObject(before, after runtime.Object) bool {
	u, isUnstructured := after.(*unstructured.Unstructured)
	if _, ok := before.(*unstructured.Unstructured); isUnstructured && !ok {
		typed := reflect.New(reflect.TypeOf(before).Elem()).Interface()
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, typed); err != nil {
			return false
		}
		return equality.Semantic.DeepEqual(before, typed)
	}
	return equality.Semantic.DeepEqual(before, after)
}

// mutationEvaluator notes what a mutation's expression would have needed to know.
type mutationEvaluator struct {
	plugincel.MutatingEvaluator
	mentions mentions
}

// ForInput implements plugincel.MutatingEvaluator.
func (e *mutationEvaluator) ForInput(ctx context.Context, attr *admission.VersionedAttributes, request *admissionv1.AdmissionRequest, bindings plugincel.OptionalVariableBindings, namespace *corev1.Namespace, budget int64) (plugincel.EvaluationResult, int64, error) {
	r := recorderFrom(ctx)
	watched, err := r.watch(attr)
	if err != nil {
		return plugincel.EvaluationResult{EvalResult: types.NullValue}, 0, err
	}
	bindings.Authorizer = r.touches.asking(ctx, bindings.Authorizer)
	before := len(r.touches.paths)
	r.touches.sizes = e.mentions[sizeFunction]
	result, remaining, err := e.MutatingEvaluator.ForInput(ctx, watched, request, bindings, namespace, budget)
	r.current.notKnown = append(r.current.notKnown, e.mentions.among(r.unread)...)
	r.current.notKnown = append(r.current.notKnown, r.touches.paths[before:]...)
	if r.request.Unknown.Redacted && result.EvalResult != nil {
		r.current.notKnown = append(r.current.notKnown, patchedFromRedacted(result.EvalResult, attr.VersionedObject.Object())...)
	}
	return result, remaining, err
}
