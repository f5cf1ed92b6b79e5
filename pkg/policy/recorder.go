package policy

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// recorder remembers what the library's parts answered during one dispatch. It travels in the
// context, so that compiled policies stay shared between requests.
type recorder struct {
	kind        string // of the policies
	request     Request
	policy      string
	binding     string
	invocations []*invocation
	current     *invocation
	touches     touches
	unread      []string        // the CEL variables that are not known
	assumed     []inventory.Gap // what the authorizer's answers rest on
}

func (r *recorder) assume(gaps ...inventory.Gap) { r.assumed = append(r.assumed, gaps...) }

// invocation is one evaluation of a policy through a binding with one parameter.
type invocation struct {
	policy, binding, param string
	reinvoked              bool

	skipped        bool                       // the matchConditions say that the policy does not apply
	skippedBy      string                     // the matchCondition that is false; empty if one failed and is ignored
	conditionError string                     // of matchConditions
	matchError     error                      // of matchConditions, where failurePolicy is Fail
	result         *validating.ValidateResult // of a validating policy
	mutations      []mutation                 // of a mutating one
	notKnown       []string                   // unknown things that may have decided it
	messageUnknown []string                   // unknown things that may have shaped its message or audit annotations
}

// mutation is what one entry of spec.mutations came to.
type mutation struct {
	err     error
	changed bool
	changes []Change
}

type recorderKey struct{}

func (r *recorder) context(ctx context.Context) context.Context {
	return context.WithValue(ctx, recorderKey{}, r)
}

func recorderFrom(ctx context.Context) *recorder {
	r, _ := ctx.Value(recorderKey{}).(*recorder)
	return r
}

func (r *recorder) begin(policy, binding string, param runtime.Object) *invocation {
	r.current = &invocation{policy: policy, binding: binding, param: paramName(param)}
	r.invocations = append(r.invocations, r.current)
	return r.current
}

// of returns the invocations of one binding in the order in which they ran.
func (r *recorder) of(policy, binding string) []*invocation {
	var found []*invocation
	for _, i := range r.invocations {
		if i.policy == policy && i.binding == binding {
			found = append(found, i)
		}
	}
	slices.SortStableFunc(found, func(a, b *invocation) int { return cmp.Compare(a.param, b.param) })
	return found
}

// paramName returns namespace/name of a parameter. The library hides a built-in parameter of a
// validating policy in a wrapper that only unfolds.
func paramName(param runtime.Object) string {
	if param == nil {
		return ""
	}
	if wrapped, ok := param.(interface{ ToUnstructured() any }); ok {
		content, _ := wrapped.ToUnstructured().(map[string]any)
		param = &unstructured.Unstructured{Object: content}
	}
	accessor, err := meta.Accessor(param)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(accessor.GetNamespace()+"/"+accessor.GetName(), "/")
}
