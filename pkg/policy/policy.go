// Package policy decides requests by ValidatingAdmissionPolicies and MutatingAdmissionPolicies, with the
// API server's own matchers, CEL compilers, validators and patchers (k8s.io/apiserver). What it adds is
// memory: every policy, binding and parameter leaves a Step that says what it decided and what made
// it so. The semantics are those of KEP-3488 and KEP-3962.
package policy

import (
	"context"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// State is what policies are decided on, beside the request itself.
type State interface {
	Kinds() *inventory.Kinds
	// Namespace returns a namespace. It is asked for existing namespaces only: whether a request's
	// namespace exists is the caller's to settle first.
	Namespace(ctx context.Context, name string) (*corev1.Namespace, error)
	Params(ctx context.Context, kind schema.GroupVersionKind) ([]runtime.Object, inventory.Kind, error)
	TypeConverter(ctx context.Context, kind schema.GroupVersionKind) (managedfields.TypeConverter, error)
	// Get returns one object; it is asked for CustomResourceDefinitions.
	Get(ctx context.Context, kind inventory.Kind, namespace, name string) (inventory.Object, error)
}

// Options are the choices of Compile.
type Options struct {
	// Server is the version of the API server whose CEL the policies are compiled in, such as "v1.36.3"; empty: the newest known.
	Server string
	// Authorizer answers for the `authorizer` variable. nil makes what asks it NotSimulated, and so does an error
	// that is Unanswered.
	Authorizer authorizer.UnconditionalAuthorizer
}

// Set is a set of compiled policies. It is safe for concurrent use.
type Set struct {
	state      State
	matcher    *matching.Matcher
	authorizer authorizer.UnconditionalAuthorizer
	validating []*validatingPolicy
	mutating   []*mutatingPolicy
	webhooks   []webhook
	// conversions are those of the custom resources that had to be converted, by schema.GroupKind.
	conversions sync.Map
}

// Compile compiles every policy that has a binding, and reads the parameters they use. A policy that does not compile is no
// error: it is decided by its failurePolicy, as the API server does. The error is that of the CEL
// environment, which is ours.
func Compile(ctx context.Context, state State, policies *inventory.Policies, options Options) (*Set, error) {
	language := languageOf(options.Server)
	env := language.stored()
	s := &Set{
		state:      state,
		matcher:    matching.NewMatcher(namespaceLister{ctx: ctx, state: state}, nil),
		authorizer: options.Authorizer,
	}
	var err error
	if s.webhooks, err = compileWebhooks(env, policies); err != nil {
		return nil, err
	}
	params := newParamSources(ctx, state)
	for _, p := range policies.Validating {
		bindings := bindingsOf(policies.ValidatingBindings, p.Name)
		if len(bindings) == 0 {
			continue
		}
		source := params.source(p.Spec.ParamKind)
		if source.unread == nil {
			source.unread = language.beyond(func() ([]CompileError, error) { return CompileErrors(p, Stored, options.Server) })
		}
		compiled, err := compileValidating(env, p, bindings, source)
		if err != nil {
			return nil, fmt.Errorf("compiling ValidatingAdmissionPolicy %q: %w", p.Name, err)
		}
		s.validating = append(s.validating, compiled)
	}
	for _, p := range policies.Mutating {
		bindings := bindingsOf(policies.MutatingBindings, p.Name)
		if len(bindings) == 0 {
			continue
		}
		source := params.source(p.Spec.ParamKind)
		if source.unread == nil {
			source.unread = language.beyond(func() ([]CompileError, error) { return MutatingCompileErrors(p, Stored, options.Server) })
		}
		compiled, err := compileMutating(env, p, bindings, source)
		if err != nil {
			return nil, fmt.Errorf("compiling MutatingAdmissionPolicy %q: %w", p.Name, err)
		}
		s.mutating = append(s.mutating, compiled)
	}
	sortByName(s.validating)
	sortByName(s.mutating)
	return s, nil
}

func (s *Set) policyMatcher() generic.PolicyMatcher { return generic.NewPolicyMatcher(s.matcher) }
