package verify

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// Question is one request to put to both sides.
type Question struct {
	Request request.Request
	Wire    request.Wire

	// Again makes the question of the state as it is when called. It is asked where the two sides differ, which
	// may be because the object has changed since it was read. nil: no stored object is part of the question.
	Again func(context.Context) (Question, error)
	// Free is the same creation under a name that is free. It is asked where the API server stops the request because
	// the object exists, while the question is what would happen if there were none. nil: there is no such question.
	Free func(context.Context) (Question, error)

	// Guard says that the question is what admission does: an answer of authorization does not count.
	Guard bool
}

// AboutObject is a question about an existing object. change makes the request, such as request.Annotate.
func AboutObject(inv inventory.Inventory, object inventory.Object, change func(inventory.Object) (request.Request, error)) (Question, error) {
	r, err := change(object)
	if err != nil {
		return Question{}, err
	}
	w, err := request.OnWire(r)
	if err != nil {
		return Question{}, err
	}
	q := Question{Request: r, Wire: w}
	if r.Operation == admission.Create {
		q.Free = func(context.Context) (Question, error) {
			free, err := AboutObject(inv, renamed(object), change)
			free.Free = nil
			return free, err
		}
		return q, nil
	}
	q.Again = func(ctx context.Context) (Question, error) {
		object, err := inv.Get(ctx, object.Kind, object.Meta().GetNamespace(), object.Meta().GetName())
		if err != nil {
			return Question{}, err
		}
		return AboutObject(inv, object, change)
	}
	return q, nil
}

// File is an object from a file, and how it is sent, see request.Send.
type File struct {
	Object           *unstructured.Unstructured
	Via              request.Via
	DefaultNamespace string
	Options          request.Options
}

// AboutFile is a question about an object that is sent from a file.
func AboutFile(ctx context.Context, inv inventory.Inventory, requester request.Requester, file File) (Question, error) {
	r, w, err := request.SendOnWire(ctx, inv, requester, file.Object, file.Via, file.DefaultNamespace, file.Options)
	if err != nil {
		return Question{}, err
	}
	q := Question{Request: r, Wire: w}
	q.Again = func(ctx context.Context) (Question, error) { return AboutFile(ctx, inv, requester, file) }
	if file.Options.Operation != admission.Create || r.Name == "" {
		return q, nil
	}
	q.Free = func(ctx context.Context) (Question, error) {
		file := file
		file.Object = file.Object.DeepCopy()
		file.Object.SetName(freeName(file.Object.GetName()))
		free, err := AboutFile(ctx, inv, requester, file)
		free.Free = nil
		return free, err
	}
	if file.Via != request.ViaServerSideApply {
		return q, nil
	}
	return creationByApply(ctx, inv, q)
}

// creationByApply is the question under a free name where the object exists: its apply would be an update.
func creationByApply(ctx context.Context, inv inventory.Inventory, q Question) (Question, error) {
	namespace := q.Request.Namespace
	if !q.Request.Kind.Namespaced {
		namespace = ""
	}
	_, err := inv.Get(ctx, q.Request.Kind, namespace, q.Request.Name)
	switch {
	case apierrors.IsNotFound(err):
		return q, nil
	case err != nil:
		return Question{}, fmt.Errorf("finding out whether %s %s exists: %w", q.Request.Kind.Kind.Kind, q.Request.Name, err)
	}
	return q.Free(ctx)
}

// again asks for the question as it is now, and says whether its object has changed.
func (q Question) again(ctx context.Context) (next Question, changed bool, err error) {
	next, err = q.Again(ctx)
	if apierrors.IsNotFound(err) {
		return Question{}, true, errors.New("the object was deleted meanwhile")
	}
	if err != nil {
		return Question{}, false, fmt.Errorf("reading the object again: %w", err)
	}
	next.Guard = q.Guard
	return next, versionOf(next.Request) != versionOf(q.Request), nil
}

// versionOf is the version of the stored object that a request is about, "" where there is none.
func versionOf(r request.Request) string {
	if meta, ok := r.Before.(metav1.Object); ok {
		return string(meta.GetUID()) + "/" + meta.GetResourceVersion()
	}
	return ""
}
