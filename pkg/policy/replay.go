package policy

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// replay returns the answer of each denial as if it were the only one. The API server walks policies,
// bindings and parameters in no fixed order and answers with the denial it comes to first. The
// evaluations are not repeated: the library is shown what they came to, and words the answer.
func (v *validation) replay(ctx context.Context, denials []decided) []metav1.Status {
	var statuses []metav1.Status
	for _, d := range denials {
		again := v.set.newValidation(ctx, v.request)
		err := again.dispatch(ctx, []validating.PolicyHook{v.set.only(d)})
		if err == nil {
			continue
		}
		status := statusOf(err)
		if !slices.ContainsFunc(statuses, func(s metav1.Status) bool { return equality.Semantic.DeepEqual(s, status) }) {
			statuses = append(statuses, status)
		}
	}
	return statuses
}

// only returns the hook of one step's policy, reduced to that step's binding and evaluation.
func (s *Set) only(d decided) validating.PolicyHook {
	at := slices.IndexFunc(s.validating, func(p *validatingPolicy) bool { return p.name() == d.Policy })
	hook := s.validating[at].hook
	if d.Binding != "" {
		hook.Bindings = slices.DeleteFunc(slices.Clone(hook.Bindings), func(b *validating.PolicyBinding) bool { return b.Name != d.Binding })
	}
	if d.invocation != nil {
		hook.Policy = hook.Policy.DeepCopy()
		hook.Policy.Spec.ParamKind = nil // the parameter is in the result already
		hook.Evaluator = replayed{result: *d.invocation.result}
	}
	return hook
}

// replayed is a validator that has decided before.
type replayed struct{ result validating.ValidateResult }

// Validate implements validating.Validator.
func (r replayed) Validate(context.Context, schema.GroupVersionResource, *admission.VersionedAttributes, runtime.Object, *corev1.Namespace, int64, authorizer.UnconditionalAuthorizer) validating.ValidateResult {
	return r.result
}

// CompileError implements validating.Validator.
func (r replayed) CompileError() error { return nil }
