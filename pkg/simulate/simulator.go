// Package simulate says what the API server would do with a write request: it sends the request through
// the admission chain as the API server does, without a request to any server, and reports each
// step. It is a library: a CI bot or a controller may import it.
package simulate

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

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
}

// New compiles the policies, which are those of the inventory or proposed ones. It reads the
// parameters that they use; nothing else is read before Run.
func New(ctx context.Context, inv inventory.Inventory, policies *inventory.Policies) (*Simulator, error) {
	set, err := policy.Compile(ctx, state{inv}, policies, policy.Options{})
	if err != nil {
		return nil, err
	}
	return &Simulator{inventory: inv, policies: policies, set: set, idle: Idle(policies)}, nil
}

// Inventory returns the inventory that requests are decided on.
func (s *Simulator) Inventory() inventory.Inventory { return s.inventory }

// Policies returns the policies that requests are decided by.
func (s *Simulator) Policies() *inventory.Policies { return s.policies }

// Options are the choices of one run.
type Options struct {
	// Explain adds to steps that did not match the field that left the request out. It costs as much again as
	// a policy that does not match; whoever shows steps wants it.
	Explain bool
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
