package request

import (
	"cmp"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
)

// GeneratedName stands for the name that the API server makes of generateName.
const GeneratedName = "<generated>"

// Prepared is a request's object as validating admission sees it.
type Prepared struct {
	// Object is nil on DELETE.
	Object runtime.Object
	// Name is the request's name: GeneratedName where the API server has made one by now.
	Name string
	// Unknown are the field paths of Object whose values nobody can know beforehand. They hold
	// stand-ins where the API server sets them, so that has() is true of them.
	Unknown []string
	// Refused is the API server's answer where the object is not of the resourceVersion that was sent.
	Refused *metav1.Status
}

// Prepare does what the API server does between mutating and validating admission, as far as policies can see it:
// it fills in the system's metadata, puts back what may not be written through the resource or subresource, and
// raises the generation (k8s.io/apiserver pkg/registry/generic/registry/store.go, pkg/registry/rest/{create,update}.go, and
// each kind's strategy). afterMutation is the request's object as the mutating policies left it; it is not modified.
func Prepare(r Request, afterMutation runtime.Object) (Prepared, error) {
	prepared := Prepared{Name: r.Name, Unknown: append([]string{}, r.UnknownProposed...)}
	if r.Operation == admission.Delete || afterMutation == nil {
		return prepared, nil
	}
	if err := checkReadable(afterMutation); err != nil {
		return Prepared{}, err
	}
	prepared.Object = afterMutation.DeepCopyObject()
	meta, err := metaOf(prepared.Object)
	if err != nil {
		return Prepared{}, err
	}
	s, known := strategyOf(r.Kind)
	if !known {
		prepared.Unknown = append(prepared.Unknown, "metadata.generation", "spec", "status")
	}
	if r.Operation == admission.Create {
		if prepared.Refused = place(r, meta); prepared.Refused == nil {
			prepared.create(s, meta)
		}
		return prepared, nil
	}
	old, err := metaOf(r.Before)
	if err != nil {
		return Prepared{}, fmt.Errorf("the stored object: %w", err)
	}
	if prepared.Refused = cmp.Or(conflict(r, s, meta, old), place(r, meta)); prepared.Refused == nil {
		prepared.update(r, s, meta, old)
	}
	return prepared, nil
}

// place puts the object into the request's namespace, where a mutation took it out, and refuses it where one put it elsewhere
// (k8s.io/apiserver pkg/registry/rest/meta.go, EnsureObjectNamespaceMatchesRequestNamespace).
func place(r Request, meta metav1.Object) *metav1.Status {
	if !r.Kind.Namespaced {
		meta.SetNamespace("")
		return nil
	}
	switch meta.GetNamespace() {
	case r.Namespace:
	case "":
		meta.SetNamespace(r.Namespace)
	default:
		return statusOf(apierrors.NewBadRequest("the namespace of the provided object does not match the namespace sent on the request"))
	}
	return nil
}

func (p *Prepared) create(s strategy, meta metav1.Object) {
	wipe(meta)
	meta.SetUID("00000000-0000-0000-0000-000000000000")
	meta.SetCreationTimestamp(metav1.Unix(0, 0))
	p.Unknown = append(p.Unknown, "metadata.uid", "metadata.creationTimestamp")
	if meta.GetName() == "" && meta.GetGenerateName() != "" {
		meta.SetName(GeneratedName)
		p.Name = GeneratedName
		p.Unknown = append(p.Unknown, "metadata.name")
	}
	if s.status {
		clearPart(p.Object, "status")
	}
	switch s.generation {
	case never:
	case sinceSome:
		meta.SetGeneration(1)
		p.Unknown = append(p.Unknown, "metadata.generation")
	default:
		meta.SetGeneration(1)
	}
	if s.prepareCreate != nil {
		p.Unknown = append(p.Unknown, s.prepareCreate(p.Object)...)
	}
}

// conflict compares resourceVersions as Store.Update does.
func conflict(r Request, s strategy, meta, old metav1.Object) *metav1.Status {
	sent, stored := meta.GetResourceVersion(), old.GetResourceVersion()
	if stored == "" || sent == stored || sent == "" && s.unconditional {
		return nil
	}
	if sent == "" {
		return mustSpecifyVersion(r)
	}
	return statusOf(apierrors.NewConflict(r.Kind.Resource.GroupResource(), r.Name, errModified))
}

func (p *Prepared) update(r Request, s strategy, meta, old metav1.Object) {
	meta.SetResourceVersion(old.GetResourceVersion())
	meta.SetGeneration(old.GetGeneration())
	p.strategyUpdate(r, s)
	if meta.GetUID() == "" {
		meta.SetUID(old.GetUID())
	}
	if created := old.GetCreationTimestamp(); !created.IsZero() {
		meta.SetCreationTimestamp(created)
	}
	if deleted := old.GetDeletionTimestamp(); !deleted.IsZero() {
		meta.SetDeletionTimestamp(deleted)
	}
	if grace := old.GetDeletionGracePeriodSeconds(); grace != nil && meta.GetDeletionGracePeriodSeconds() == nil {
		meta.SetDeletionGracePeriodSeconds(grace)
	}
	// What is not known about the stored object's own metadata is not known about this one's.
	p.Unknown = append(p.Unknown, unstored(old)...)
}
