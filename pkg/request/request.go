// Package request builds the requests that are simulated: who asks, and the object that kubectl would
// send and the API server would merge, before admission sees it. Prepare and Validate are the part of
// the API server that stands between mutating and validating admission.
//
// What kubectl sends is that of k8s.io/kubectl v0.37 pkg/cmd/{annotate,apply,replace,create}, what the
// API server makes of it that of k8s.io/apiserver v0.37 pkg/endpoints/handlers and pkg/registry. Both were
// recorded on a real 1.37.1 API server; the recordings are in testdata.
package request

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// Request is one write request as it stands when admission begins: authenticated, decoded and, for a
// patch or an apply, merged with the stored object.
type Request struct {
	Requester Requester

	Kind inventory.Kind
	// ObjectKind is the kind of Before and Proposed: Kind.Kind, but autoscaling/v1 Scale for /scale.
	ObjectKind schema.GroupVersionKind
	Operation  admission.Operation // admission.Create, admission.Update or admission.Delete
	// Verb is what authorization is asked: create, update, patch or delete.
	Verb string
	// MayCreate says that authorization is asked for create, too, because a patch or update creates the object
	// (k8s.io/apiserver pkg/endpoints/handlers/update.go, withAuthorization; between mutating and validating admission).
	MayCreate   bool
	Subresource string
	// Namespace is the request's, as admission and authorization see it: a Namespace's own name for
	// requests about it, empty for other cluster-scoped kinds.
	Namespace string
	// Name is empty on a CREATE with generateName.
	Name         string
	GenerateName string

	// Before is the stored object, nil on CREATE. Neither it nor Proposed may be modified.
	Before runtime.Object
	// Proposed is the object that would be stored if no policy touched it, nil on DELETE.
	Proposed runtime.Object
	// Options are the operation's options as admission sees them: *metav1.CreateOptions,
	// *metav1.UpdateOptions (for patches, too) or *metav1.DeleteOptions.
	Options runtime.Object

	// Redacted lists the field paths of Before and Proposed whose values are not known, see
	// inventory.Object. UnknownBefore and UnknownProposed hold them, too.
	Redacted []string
	// Undefaulted is true where Before or Proposed comes from a manifest and lacks what the API server would fill in.
	Undefaulted bool
	// UndefaultedBefore and UndefaultedProposed say it of each. An object that differs from a defaulted one in its metadata only is
	// as good as defaulted.
	UndefaultedBefore, UndefaultedProposed bool
	// UnknownBefore and UnknownProposed are the field paths whose values mutating admission would see and
	// nobody can know beforehand, such as "metadata.managedFields".
	UnknownBefore, UnknownProposed []string

	// KubectlReads says that kubectl gets the object before it sends the request; other clients need not.
	KubectlReads bool

	// NoRequest is true where kubectl would send nothing, because the object is already as it is applied.
	// Before and Proposed are then the same.
	NoRequest bool
	// Refused is the API server's answer where the request fails before admission's policies, such as a
	// conflict of server-side apply, an object that is not there, or a namespace that is not; nil otherwise.
	Refused *metav1.Status
	// RefusedInStorage is the API server's answer if admission lets the request pass, such as that the object
	// already exists: POST finds that out last of all. nil otherwise.
	RefusedInStorage *metav1.Status

	// Next returns the request that kubectl sends after this one has been stored, or nil: kubectl apply --server-side
	// applies twice where the object was applied client-side before. It is nil where there is never another.
	Next func(ctx context.Context, stored runtime.Object) (*Request, error)

	// Incomplete lists what could not be found out and could reverse the outcome; Assumptions what is known
	// to happen and is not represented.
	Incomplete, Assumptions []inventory.Gap
}
