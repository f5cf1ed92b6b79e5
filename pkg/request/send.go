package request

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// Via is the way in which an object from a file is sent.
type Via string

// The ways, spelled as --via spells them.
const (
	ViaApply           Via = "apply" // client-side, three-way
	ViaServerSideApply Via = "server-side-apply"
	ViaReplace         Via = "replace"
	ViaCreate          Via = "create"
)

// ParseVia reads --via; empty is ViaApply. Anything unknown is a *UsageError.
func ParseVia(via string) (Via, error) {
	switch v := Via(via); v {
	case "":
		return ViaApply, nil
	case ViaApply, ViaServerSideApply, ViaReplace, ViaCreate:
		return v, nil
	}
	return "", usageErrorf("--via %s: there is no such way; give apply, server-side-apply, replace or create", via)
}

// sending is one object on its way.
type sending struct {
	inv     inventory.Inventory
	file    *unstructured.Unstructured // what the user wrote, in its namespace; free to be changed
	kind    inventory.Kind
	stored  *inventory.Object // nil where there is none
	via     Via
	options Options
	request Request
}

// Send returns the request by which kubectl sends an object from a file, merged with the stored object as the
// API server would. object is the file's document as it was written (not defaulted, no field dropped); an object of a
// namespaced kind that names no namespace goes to defaultNamespace. It is a CREATE where the object does not
// exist and an UPDATE where it does, unless options.Operation says otherwise: Create is the creation as if there
// were none, Update is refused where there is none, Delete deletes the object that the file names.
//
// A *UsageError is what kubectl itself would not send, and a kind that is not served. Any other error means that
// the stored object, or what is needed to merge with it, could not be read. What the API server would refuse is no error: see
// Request.Refused.
func Send(ctx context.Context, inv inventory.Inventory, requester Requester, object *unstructured.Unstructured, via Via, defaultNamespace string, options Options) (Request, error) {
	s := &sending{inv: inv, file: object.DeepCopy(), via: via, options: options}
	if err := s.place(defaultNamespace); err != nil {
		return Request{}, err
	}
	if err := s.check(); err != nil {
		return Request{}, err
	}
	if err := s.read(ctx); err != nil {
		return Request{}, err
	}
	s.request = newRequest(requester, s.kind, s.file)
	s.request.Subresource = options.Subresource
	s.request.KubectlReads = via == ViaApply || via == ViaReplace
	if err := s.build(ctx); err != nil {
		return Request{}, err
	}
	CheckNamespace(ctx, inv, &s.request)
	return s.request, nil
}

// place finds the object's kind and namespace as kubectl does.
func (s *sending) place(defaultNamespace string) error {
	gvk := s.file.GroupVersionKind()
	kind, found := s.inv.Kinds().ForKind(gvk)
	if !found {
		return usageErrorf("no matches for kind %q in version %q: the API server doesn't serve it; correct the manifest, or with --from add its CustomResourceDefinition to the files", gvk.Kind, gvk.GroupVersion())
	}
	s.kind = kind
	if err := checkMetadata(s.file); err != nil {
		return err
	}
	if kind.Namespaced && s.file.GetNamespace() == "" {
		s.file.SetNamespace(defaultNamespace)
	}
	return nil
}

// check refuses what kubectl refuses, and what is not simulated.
func (s *sending) check() error {
	name := s.kind.Kind.Kind + " " + s.file.GetName()
	switch {
	case s.file.GetName() == "" && s.via != ViaCreate && s.file.GetGenerateName() != "":
		return usageErrorf("from %s: cannot use generate name with %s; use --via create", s.file.GetGenerateName(), s.via)
	case s.file.GetName() == "" && s.via != ViaCreate:
		return usageErrorf("a %s without metadata.name can't be sent by %s; name it", s.kind.Kind.Kind, s.via)
	case s.options.Subresource == "":
		return nil
	case s.options.Subresource != "status":
		return usageErrorf("%s from a file: of subresources only status is simulated; leave --subresource out", name)
	case s.via != ViaServerSideApply && s.via != ViaReplace:
		return usageErrorf("kubectl sends a subresource by server-side-apply or replace only, not by %s; give --via", s.via)
	}
	return checkSubresource(s.kind, s.options)
}

// read gets the stored object, if there is one.
func (s *sending) read(ctx context.Context) error {
	if s.file.GetName() == "" {
		return nil
	}
	namespace := s.file.GetNamespace()
	if !s.kind.Namespaced {
		namespace = ""
	}
	stored, err := s.inv.Get(ctx, s.kind, namespace, s.file.GetName())
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading %s %s, which the file is merged with: %w", s.kind.Kind.Kind, s.file.GetName(), err)
	}
	s.stored = &stored
	return nil
}

func (s *sending) build(ctx context.Context) error {
	switch s.options.Operation {
	case admission.Delete:
		return s.delete()
	case admission.Create:
		s.stored = nil
	case admission.Update:
		if s.stored == nil {
			s.refuseMissing()
			return nil
		}
		if s.via == ViaCreate {
			return usageErrorf("--operation update contradicts --via create; give one of them")
		}
	}
	switch s.via {
	case ViaServerSideApply:
		return s.serverSideApply(ctx)
	case ViaReplace:
		if s.options.Operation == admission.Create {
			return s.create(managerCreate)
		}
		return s.replace()
	case ViaCreate:
		return s.createVia()
	}
	return s.apply(ctx)
}
