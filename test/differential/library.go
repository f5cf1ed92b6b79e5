package differential

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/reply"
)

// library is the plugin's side: what it says of a request, by an inventory.
type library struct {
	inventory inventory.Inventory
	simulator *simulate.Simulator
}

func newLibrary(ctx context.Context, inv inventory.Inventory, policies *inventory.Policies) (*library, error) {
	simulator, err := simulate.New(ctx, inv, policies)
	if err != nil {
		return nil, err
	}
	return &library{inventory: inv, simulator: simulator}, nil
}

// notSimulated says that the plugin does not claim to know the answer, and why.
type notSimulated struct{ why string }

func (e *notSimulated) Error() string { return e.why }

func requesterOf(r Request) request.Requester {
	return request.NewRequester(r.User, r.Groups, r.UID, r.Extra)
}

// ask puts a request to the plugin's library. The error is a *notSimulated where it knows no answer.
func (l *library) ask(ctx context.Context, r Request) (Answer, error) {
	built, err := l.build(ctx, r)
	if err != nil {
		return Answer{}, err
	}
	result, stored := l.simulator.Store(ctx, built, simulate.Options{})
	if len(result.Incomplete) > 0 || result.Outcome == simulate.Unknown {
		return Answer{}, &notSimulated{whyNot(result)}
	}
	if err := consistent(result); err != nil {
		return Answer{}, err
	}
	answer := Answer{
		Reply:  reply.Reply{Status: result.Status, Possible: result.PossibleStatuses, Warnings: result.Warnings, Audit: result.AuditAnnotations},
		Unsent: built.NoRequest,
	}
	if result.Status != nil {
		return answer, nil
	}
	answer.Annotations = map[string]string{}
	for _, annotation := range result.Annotations {
		if annotation.After != nil {
			answer.Annotations[annotation.Key] = *annotation.After
		}
	}
	err = answer.addStored(built, stored)
	return answer, err
}

// consistent checks that a request is blocked if and only if some step says that it denies.
func consistent(result simulate.Result) error {
	denies := slices.ContainsFunc(result.Steps, func(s policy.Step) bool {
		return s.Decision == policy.Denied || s.Decision == policy.Error
	})
	if denies != (result.Outcome == simulate.Blocked) {
		return fmt.Errorf("the outcome is %s, and that some step denies is %t", result.Outcome, denies)
	}
	return nil
}

func whyNot(result simulate.Result) string {
	for _, gap := range result.Incomplete {
		return gap.Why
	}
	return "outcome Unknown"
}

// build makes the request that the plugin would simulate.
func (l *library) build(ctx context.Context, r Request) (request.Request, error) {
	options := request.Options{Subresource: r.Subresource}
	switch r.Way {
	case Create, Replace, ServerSideApply, Apply:
		object := (&unstructured.Unstructured{Object: r.Object}).DeepCopy()
		return orUsage(request.Send(ctx, l.inventory, requesterOf(r), object, request.Via(r.Way), metav1.NamespaceDefault, options))
	case Delete:
		options.Operation = admission.Delete
	case Annotate:
	}
	gvk := schema.FromAPIVersionAndKind(textAt(r.Object, "apiVersion"), textAt(r.Object, "kind"))
	kind, found := l.inventory.Kinds().ForKind(gvk)
	if !found {
		return request.Request{}, fmt.Errorf("%s is not served", gvk)
	}
	stored, err := l.inventory.Get(ctx, kind, namespaceOf(r.Object), nameOf(r.Object))
	if err != nil {
		return request.Request{}, err
	}
	return orUsage(request.Annotate(requesterOf(r), stored, request.Change{Set: r.Set, Remove: r.Remove}, options))
}

// orUsage makes of a usage error a *notSimulated.
func orUsage(r request.Request, err error) (request.Request, error) {
	var usage *request.UsageError
	if errors.As(err, &usage) {
		return r, &notSimulated{usage.Message}
	}
	return r, err
}

// addStored adds what results don't have: the annotations without the prefix and the labels of what is stored.
func (a *Answer) addStored(r request.Request, object runtime.Object) error {
	if r.Operation == admission.Delete {
		return nil
	}
	stored, err := meta.Accessor(object)
	if err != nil {
		return fmt.Errorf("the request passes, and what is stored is not told: %w", err)
	}
	for key, value := range stored.GetAnnotations() {
		if !strings.HasPrefix(key, downscaler.Prefix) {
			a.Annotations[key] = value
		}
	}
	a.Labels = stored.GetLabels()
	prepared, err := request.Prepare(r, r.Proposed)
	a.Unknown = prepared.Unknown
	return err
}
