package differential

import (
	"context"
	"errors"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// library is the plugin's side: what it says of a request, by an inventory.
type library struct {
	inventory inventory.Inventory
	simulator *simulate.Simulator
	set       *policy.Set // for the whole metadata of what is stored, which results don't have
}

func newLibrary(ctx context.Context, inv inventory.Inventory, policies *inventory.Policies) (*library, error) {
	simulator, err := simulate.New(ctx, inv, policies)
	if err != nil {
		return nil, err
	}
	set, err := policy.Compile(ctx, inv, policies, policy.Options{})
	if err != nil {
		return nil, err
	}
	return &library{inventory: inv, simulator: simulator, set: set}, nil
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
	result := l.simulator.Run(ctx, built, simulate.Options{})
	if len(result.Incomplete) > 0 || result.Outcome == simulate.Unknown {
		return Answer{}, &notSimulated{whyNot(result)}
	}
	answer := Answer{
		Status: result.Status, Possible: result.PossibleStatuses, Warnings: result.Warnings, Audit: result.AuditAnnotations,
	}
	if result.Status != nil {
		answer.AllKnown = true
		return answer, nil
	}
	answer.Annotations = map[string]string{}
	for _, annotation := range result.Annotations {
		if annotation.After != nil {
			answer.Annotations[annotation.Key] = *annotation.After
		}
	}
	l.addStored(ctx, built, &answer)
	return answer, nil
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
	case Create, Replace, ServerSideApply:
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

// addStored adds the annotations without the prefix and the labels of what is stored, where they can be told.
func (l *library) addStored(ctx context.Context, r request.Request, answer *Answer) {
	if r.Operation == admission.Delete {
		answer.AllKnown = true
		return
	}
	kind := r.Kind
	kind.Kind = r.ObjectKind
	mutated, verdict := l.set.Mutate(ctx, policy.Request{
		Kind: kind, Operation: r.Operation, Subresource: r.Subresource, Namespace: r.Namespace, Name: r.Name,
		Object: r.Proposed, OldObject: r.Before, Options: r.Options, User: r.Requester.User(),
		Unknown: policy.Unknown{
			Object: r.UnknownProposed, OldObject: r.UnknownBefore,
			UndefaultedObject: r.UndefaultedProposed, UndefaultedOldObject: r.UndefaultedBefore,
		},
	})
	prepared, err := request.Prepare(r, mutated)
	if err != nil || verdict.Uncertain || prepared.Object == nil {
		return
	}
	stored, ok := prepared.Object.(metav1.Object)
	if !ok {
		return
	}
	for key, value := range stored.GetAnnotations() {
		if !strings.HasPrefix(key, downscaler.Prefix) { // those are the result's
			answer.Annotations[key] = value
		}
	}
	for _, path := range prepared.Unknown {
		if key, ok := strings.CutPrefix(path, "metadata.annotations["); ok {
			answer.Unknown = append(answer.Unknown, strings.TrimSuffix(key, "]"))
		}
	}
	answer.Labels, answer.AllKnown = stored.GetLabels(), true
}
