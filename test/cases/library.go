package cases

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/reply"
)

// library is the plugin's side.
type library struct {
	inventory inventory.Inventory
	simulator *simulate.Simulator
}

func newLibrary(ctx context.Context, inv inventory.Inventory) (*library, error) {
	simulator, err := simulate.New(ctx, inv, inv.Policies())
	if err != nil {
		return nil, err
	}
	return &library{inventory: inv, simulator: simulator}, nil
}

// ask puts a request to the plugin's library.
func (l *library) ask(ctx context.Context, r Request) (Answer, error) {
	built, err := l.build(ctx, r)
	if err != nil {
		return Answer{}, err
	}
	result, stored := l.simulator.Store(ctx, built, simulate.Options{Explain: true})
	answer := Answer{Reply: reply.Reply{
		Status: result.Status, Possible: result.PossibleStatuses, Warnings: result.Warnings, Audit: result.AuditAnnotations,
	}}
	switch result.Outcome {
	case simulate.Allowed:
		answer.Verdict = Allowed
	case simulate.Altered:
		answer.Verdict = Altered
	case simulate.Blocked:
		answer.Verdict = Denied
	case simulate.Unknown:
	}
	answer.Assumed = gapsText(result.Assumptions)
	if answer.NotSimulated = gapsText(result.Incomplete); answer.NotSimulated == "" && answer.Verdict == "" {
		return answer, fmt.Errorf("the outcome is %s and nothing is incomplete", result.Outcome)
	}
	answer.Stored, err = asObject(stored)
	return answer, err
}

func gapsText(gaps []inventory.Gap) string {
	var texts []string
	for _, gap := range gaps {
		texts = append(texts, gap.What+": "+gap.Why)
	}
	return strings.Join(texts, "; ")
}

// build makes the request that the plugin simulates.
func (l *library) build(ctx context.Context, r Request) (request.Request, error) {
	requester := request.NewRequester(r.User, r.Groups, r.UID, r.Extra)
	options := request.Options{Subresource: r.Subresource}
	if r.Send != nil {
		object := (&unstructured.Unstructured{Object: r.Send}).DeepCopy()
		via := r.Via
		if via == "" {
			via = request.ViaCreate
		}
		return request.Send(ctx, l.inventory, requester, object, via, metav1.NamespaceDefault, options)
	}
	if r.Delete != "" {
		options.Operation = admission.Delete
	}
	stored, err := storedObject(ctx, l.inventory, r)
	if err != nil {
		return request.Request{}, err
	}
	return request.Annotate(requester, stored, request.Change{Set: r.Set, Remove: r.Remove}, options)
}

// kindOf finds the kind and the name of the object that a request is about.
func kindOf(inv inventory.Inventory, r Request) (inventory.Kind, string, error) {
	if r.Send == nil {
		resource, name, _ := strings.Cut(r.Annotate+r.Delete, "/")
		kind, err := inv.Kinds().Resolve(resource)
		return kind, name, err
	}
	object := unstructured.Unstructured{Object: r.Send}
	kind, served := inv.Kinds().ForKind(object.GroupVersionKind())
	if !served {
		return kind, "", fmt.Errorf("%s is not served", object.GroupVersionKind())
	}
	return kind, object.GetName(), nil
}

// storedObject reads the object that a request is about, as it is before.
func storedObject(ctx context.Context, inv inventory.Inventory, r Request) (inventory.Object, error) {
	kind, name, err := kindOf(inv, r)
	if err != nil {
		return inventory.Object{}, err
	}
	namespace := r.Namespace
	if !kind.Namespaced {
		namespace = ""
	}
	return inv.Get(ctx, kind, namespace, name)
}

// asObject returns a typed object as its manifest; nil for nil.
func asObject(object runtime.Object) (Object, error) {
	if object == nil {
		return nil, nil
	}
	content, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	var fields Object
	err = json.Unmarshal(content, &fields)
	return fields, err
}
