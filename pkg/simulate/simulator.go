// Package simulate says what the API server would do with a write request: it sends the request through
// the admission chain as the API server does, without a request to any server, and reports each
// step. It is a library: a CI bot or a controller may import it.
package simulate

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// Simulator decides requests by one inventory and one set of policies. It is safe for concurrent use.
type Simulator struct {
	inventory inventory.Inventory
	policies  *inventory.Policies
	set       *policy.Set
	idle      []policy.Step

	authorizer        *authorization.Authorizer
	pastAuthorization bool
}

// New compiles the policies, which are those of the inventory or proposed ones. It reads the
// parameters that they use; nothing else is read before Run. Requests are authorized by the inventory's roles and bindings.
func New(ctx context.Context, inv inventory.Inventory, policies *inventory.Policies) (*Simulator, error) {
	authorizer, err := authorization.New(inv, authorization.Options{})
	if err != nil {
		return nil, err
	}
	return NewWithAuthorizer(ctx, inv, policies, authorizer)
}

// NewWithAuthorizer is New with someone else to ask who may do what, such as the API server that the inventory was read from.
func NewWithAuthorizer(ctx context.Context, inv inventory.Inventory, policies *inventory.Policies, authorizer *authorization.Authorizer) (*Simulator, error) {
	set, err := policy.Compile(ctx, state{inv}, policies, policy.Options{Server: inv.Server().Version, Authorizer: authorizer})
	if err != nil {
		return nil, err
	}
	return &Simulator{inventory: inv, policies: policies, set: set, idle: Idle(policies), authorizer: authorizer}, nil
}

// WithPolicies is the same simulator with other policies.
func (s *Simulator) WithPolicies(ctx context.Context, policies *inventory.Policies) (*Simulator, error) {
	other, err := NewWithAuthorizer(ctx, s.inventory, policies, s.authorizer)
	if err != nil {
		return nil, err
	}
	other.pastAuthorization = s.pastAuthorization
	return other, nil
}

// PastAuthorization is the same simulator for requesters who are taken as authorized: nobody is asked, and results have no such
// step. What policies ask their authorizer is answered all the same.
func (s *Simulator) PastAuthorization() *Simulator {
	past := *s
	past.pastAuthorization = true
	return &past
}

// Inventory returns the inventory that requests are decided on.
func (s *Simulator) Inventory() inventory.Inventory { return s.inventory }

// Authorizer returns who is asked what requesters may do.
func (s *Simulator) Authorizer() *authorization.Authorizer { return s.authorizer }

// Policies returns the policies that requests are decided by.
func (s *Simulator) Policies() *inventory.Policies { return s.policies }

// Options are the choices of one run.
type Options struct {
	// Explain adds to steps that did not match the field that left the request out. It costs as much again as
	// a policy that does not match; whoever shows steps wants it.
	Explain bool
	// Order is the order in which mutating policies run, one of a Result's Disorder; nil: that of their names, and others are
	// tried, too.
	Order policy.Order
}

// Run says what the API server would do with a request. It has no error: what could not be
// simulated is part of the answer.
func (s *Simulator) Run(ctx context.Context, r request.Request, options Options) Result {
	result, _ := s.Store(ctx, r, options)
	return result
}

// Store is Run, and returns the object that would be stored as well: nil where none would be, or where that is
// not known.
func (s *Simulator) Store(ctx context.Context, r request.Request, options Options) (Result, runtime.Object) {
	c := &chain{simulator: s, options: options, request: r, before: r.Before, result: newResult(r)}
	c.run(ctx)
	return c.result, c.stored
}

// state is an inventory in which every namespace can be asked for: one that was not read has a stand-in,
// and what depends on it is marked by policy.Request's NamespaceUnread.
type state struct{ inventory.Inventory }

// Namespace implements policy.State.
func (s state) Namespace(ctx context.Context, name string) (*corev1.Namespace, error) {
	namespace, err := s.Inventory.Namespace(ctx, name)
	if err != nil {
		return standIn(name), nil
	}
	return namespace, nil
}

// standIn is what is known of a namespace of which only the name is known: the API server puts the name
// into a label.
func standIn(name string) *corev1.Namespace {
	return &corev1.Namespace{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Namespace"},
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelMetadataName: name}},
	}
}
