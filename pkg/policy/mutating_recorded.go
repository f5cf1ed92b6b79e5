package policy

import (
	"context"
	"reflect"

	"github.com/google/cel-go/common/types"
	admissionv1 "k8s.io/api/admission/v1"
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
)

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
