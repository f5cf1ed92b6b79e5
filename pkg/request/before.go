package request

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// setBefore takes over a stored object and what is not known about it.
func (r *Request) setBefore(object inventory.Object) {
	r.Before = object.Value.DeepCopyObject()
	if !object.Defaulted {
		completeStored(r.Before)
	}
	r.Redacted = object.Redacted
	r.UndefaultedBefore = !object.Defaulted
	r.Undefaulted = r.UndefaultedBefore
	r.UnknownBefore = append(append(r.UnknownBefore, object.Redacted...), unstored(object.Meta())...)
}

// unstored lists the fields of the metadata that the API server fills in when it stores an object, and which
// an object from a manifest may lack.
func unstored(object metav1.Object) []string {
	var paths []string
	if object.GetUID() == "" {
		// Services and Namespaces have no generation, so that only an object without any of these is known to lack it.
		paths = append(paths, "metadata.uid")
		if object.GetGeneration() == 0 {
			paths = append(paths, "metadata.generation")
		}
		if len(object.GetManagedFields()) == 0 {
			paths = append(paths, "metadata.managedFields")
		}
	}
	if created := object.GetCreationTimestamp(); created.IsZero() {
		paths = append(paths, "metadata.creationTimestamp")
	}
	if object.GetResourceVersion() == "" {
		paths = append(paths, "metadata.resourceVersion")
	}
	return paths
}

// noteManagedFields marks what every write changes before admission: the time of the manager's entry is the
// server's, and the entries themselves are only worked out for server-side apply.
func (r *Request) noteManagedFields() {
	r.UnknownProposed = append(r.UnknownProposed, "metadata.managedFields")
}

// asNew returns a copy of a stored object without what the API server put there, as somebody would send it
// who creates it anew.
func asNew(object runtime.Object) runtime.Object {
	copied := object.DeepCopyObject()
	if meta, ok := copied.(metav1.Object); ok {
		wipe(meta)
		meta.SetResourceVersion("")
		meta.SetGeneration(0)
		meta.SetManagedFields(nil)
	}
	clearPart(copied, "status")
	forgetAllocated(copied)
	return copied
}

// wipe is what the API server takes out of every object that is created
// (k8s.io/apiserver pkg/registry/rest/meta.go, WipeObjectMetaSystemFields).
func wipe(meta metav1.Object) {
	meta.SetCreationTimestamp(metav1.Time{})
	meta.SetUID("")
	meta.SetDeletionTimestamp(nil)
	meta.SetDeletionGracePeriodSeconds(nil)
	meta.SetSelfLink("")
}
