package request

import (
	"cmp"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// Options are what may be chosen about a request.
type Options struct {
	// Operation is the one asked for; empty is what comes naturally.
	Operation admission.Operation
	// Subresource is empty, status, scale or a Namespace's finalize.
	Subresource string
	// FieldManager is empty for the one kubectl names.
	FieldManager string
}

// Annotate returns the request by which kubectl changes an existing object's annotations: a merge patch, as
// kubectl annotate and kubectl patch --subresource send it (PUT for namespaces/finalize, which takes no patch).
// With Operation Create it is the creation of such an object with the change made, as if there were none yet;
// with Delete its deletion, where the change must be empty. A combination that no API server serves is a
// *UsageError. The namespace is not looked at, see CheckNamespace.
func Annotate(requester Requester, object inventory.Object, change Change, options Options) (Request, error) {
	if err := checkSubresource(object.Kind, options); err != nil {
		return Request{}, err
	}
	r := newRequest(requester, object.Kind, object.Meta())
	r.Subresource = options.Subresource
	r.Operation = options.Operation
	r.KubectlReads = options.Operation != admission.Create
	switch options.Operation {
	case admission.Create:
		return r.create(object, change, options)
	case admission.Delete:
		return r.delete(object, change)
	case admission.Update, "":
		r.Operation = admission.Update
		return r.annotate(object, change, options)
	}
	return Request{}, usageErrorf("--operation %s: there is no such operation; give create, update or delete", strings.ToLower(string(options.Operation)))
}

// newRequest begins a request about an object.
func newRequest(requester Requester, kind inventory.Kind, object metav1.Object) Request {
	r := Request{
		Requester: requester, Kind: kind, ObjectKind: kind.Kind,
		Namespace: object.GetNamespace(), Name: object.GetName(),
	}
	if r.Name == "" {
		r.GenerateName = object.GetGenerateName()
	}
	if !kind.Namespaced {
		r.Namespace = ""
	}
	if kind.Kind.GroupKind() == namespaceKind {
		r.Namespace = r.Name
	}
	return r
}

// checkSubresource refuses what the kind does not serve, and what is not simulated.
func checkSubresource(kind inventory.Kind, options Options) error {
	sub := options.Subresource
	resource := kind.Resource.GroupResource()
	switch {
	case sub == "":
		return nil
	case !kind.HasSubresource(sub):
		return usageErrorf("%s has no subresource %q; it has: %s", resource, sub, orNone(kind.Subresources))
	case options.Operation == admission.Create || options.Operation == admission.Delete:
		return usageErrorf("%s/%s can only be updated; leave --operation out", resource, sub)
	case sub == "status", sub == "scale", sub == "finalize" && kind.Kind.GroupKind() == namespaceKind:
		return nil
	}
	return usageErrorf("%s/%s is not simulated; status, scale and namespaces/finalize are", resource, sub)
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func (r Request) annotate(object inventory.Object, change Change, options Options) (Request, error) {
	r.setBefore(object)
	r.Verb = "patch"
	r.Options = updateOptions(cmp.Or(options.FieldManager, managerAnnotate), "")
	switch options.Subresource {
	case "status", "scale":
		r.Options = updateOptions(cmp.Or(options.FieldManager, managerPatch), "")
	case "finalize":
		r.Verb = "update"
		r.Options = updateOptions(options.FieldManager, "")
	}
	if options.Subresource == "scale" {
		if err := r.toScale(); err != nil {
			return Request{}, err
		}
	}
	r.Proposed = r.Before.DeepCopyObject()
	meta, err := metaOf(r.Proposed)
	if err != nil {
		return Request{}, err
	}
	change.ApplyTo(meta)
	r.UndefaultedProposed = r.UndefaultedBefore
	r.UnknownProposed = append(r.UnknownProposed, r.UnknownBefore...)
	r.noteManagedFields()
	return r, nil
}

func (r Request) create(object inventory.Object, change Change, options Options) (Request, error) {
	r.Verb = "create"
	r.Options = createOptions(cmp.Or(options.FieldManager, managerCreate))
	r.Proposed = asNew(object.Value)
	meta, err := metaOf(r.Proposed)
	if err != nil {
		return Request{}, err
	}
	change.ApplyTo(meta)
	r.Redacted = object.Redacted
	r.Undefaulted, r.UndefaultedProposed = !object.Defaulted, !object.Defaulted
	r.UnknownProposed = append(r.UnknownProposed, object.Redacted...)
	complete(r.Proposed)
	r.noteManagedFields()
	return r, nil
}

func (r Request) delete(object inventory.Object, change Change) (Request, error) {
	if !change.Empty() {
		return Request{}, usageErrorf("a deletion changes no annotations; leave out --set and --remove, or --operation delete")
	}
	r.setBefore(object)
	r.Verb = "delete"
	options := deleteOptions("")
	if r.Kind.Kind.GroupKind() == namespaceKind {
		options = deleteOptions(object.Meta().GetUID())
	}
	r.Options = options
	return r, nil
}

// metaOf returns an object's metadata.
func metaOf(object runtime.Object) (metav1.Object, error) {
	meta, ok := object.(metav1.Object)
	if !ok {
		return nil, fmt.Errorf("a %T has no metadata, so that it can't carry annotations", object)
	}
	return meta, nil
}
