package policy

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
)

const kindMutating = "MutatingAdmissionPolicy"

// Mutate sends a request through the mutating policies, by name, and once more where the API server would. It returns the object as they
// leave it, nil where there is none. The request's objects are not modified.
func (s *Set) Mutate(ctx context.Context, request Request) (runtime.Object, Verdict) {
	object := request.Object
	// MutatingAdmissionPolicies never see a DELETE.
	if len(s.mutating) == 0 || object == nil || excluded(request.Kind.Resource.GroupResource()) || request.Operation == admission.Delete {
		return object, Verdict{AuditAnnotations: map[string]string{}}
	}
	run := s.newMutation(ctx, request)
	plans := make([]plan, len(s.mutating))
	var hooks []mutating.PolicyHook
	for i, p := range s.mutating {
		plans[i] = run.plan(p)
		hooks = append(hooks, plans[i].hooks...)
	}
	if request.Order != nil {
		hooks = inOrder(hooks, request.Order)
	}
	err := run.dispatch(ctx, hooks)
	verdict := run.verdict(plans)
	verdict.Assumed = run.recorder.assumed
	switch {
	case err != nil && len(run.converters.missing) > 0:
		verdict.Uncertain = true
	case err != nil:
		verdict.Statuses = []metav1.Status{statusOf(err)}
		verdict.blame(err)
	}
	if len(hooks) > 1 && request.Order == nil && !verdict.Uncertain && verdict.acted() {
		run.inOtherOrders(ctx, request, plans, hooks, &verdict)
	}
	return run.object(), verdict
}

// mutationRun is one request's way through the mutating policies.
type mutationRun struct {
	set        *Set
	request    Request
	attributes *attributes
	convertor  *convertor
	converters *typeConverters
	recorder   *recorder
}

func (s *Set) newMutation(ctx context.Context, request Request) *mutationRun {
	request.Object = request.Object.DeepCopyObject()
	return &mutationRun{
		set:        s,
		request:    request,
		attributes: request.attributes(),
		convertor:  s.newConvertor(ctx),
		converters: &typeConverters{ctx: ctx, state: s.state, missing: map[schema.GroupVersionKind]error{}},
		recorder:   s.newRecorder(kindMutating, request),
	}
}

func (m *mutationRun) objectInterfaces() admission.ObjectInterfaces {
	return m.set.objectInterfaces(m.request.Object, m.convertor)
}

// dispatch runs the policies, and once more if the library asks for it, as the API server's
// admission chain does (k8s.io/apiserver/pkg/admission/reinvocation.go).
func (m *mutationRun) dispatch(ctx context.Context, hooks []mutating.PolicyHook) error {
	dispatcher := mutating.NewDispatcher(m.set.authorizerNoting(m.recorder.assume), m.set.matcher, m.converters)
	ctx = m.recorder.context(ctx)
	if err := dispatcher.Dispatch(ctx, m.attributes, m.objectInterfaces(), hooks); err != nil {
		return err
	}
	reinvocation := m.attributes.GetReinvocationContext()
	if !reinvocation.ShouldReinvoke() {
		return nil
	}
	reinvocation.SetIsReinvoke()
	return dispatcher.Dispatch(ctx, m.attributes, m.objectInterfaces(), hooks)
}
