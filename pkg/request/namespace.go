package request

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

var namespaceKind = schema.GroupKind{Kind: "Namespace"}

// immortal are the namespaces that the API server does not let anyone delete.
var immortal = sets.New(metav1.NamespaceDefault, metav1.NamespaceSystem, metav1.NamespacePublic)

// CheckNamespace does what the NamespaceLifecycle plugin does, which runs before any policy: a CREATE in a
// namespace that does not exist or is being terminated is refused, and so is the deletion of the API
// server's own namespaces (k8s.io/apiserver pkg/admission/plugin/namespace/lifecycle). It
// sets Refused, or Incomplete where it is not known whether the namespace exists. Send calls it; call it
// for what Annotate returns, too. A second call changes nothing.
func CheckNamespace(ctx context.Context, inv inventory.Inventory, r *Request) {
	if r.Refused != nil || r.NoRequest {
		return
	}
	switch {
	case r.Kind.Kind.GroupKind() == namespaceKind:
		if r.Operation == admission.Delete && r.Subresource == "" && immortal.Has(r.Name) {
			r.Refused = statusOf(apierrors.NewForbidden(r.Kind.Resource.GroupResource(), r.Name, fmt.Errorf("this namespace may not be deleted")))
		}
	case r.Operation == admission.Create && r.Kind.Namespaced:
		namespace, err := inv.Namespace(ctx, r.Namespace)
		r.checkNamespace(namespace, err)
	}
}

func (r *Request) checkNamespace(namespace *corev1.Namespace, err error) {
	switch {
	case apierrors.IsNotFound(err):
		r.Refused = statusOf(apierrors.NewNotFound(corev1.Resource("namespaces"), r.Namespace))
	case err != nil:
		gap := inventory.Gap{What: fmt.Sprintf("whether the namespace %s exists", r.Namespace), Why: err.Error()}
		if !slices.Contains(r.Incomplete, gap) {
			r.Incomplete = append(r.Incomplete, gap)
		}
	case namespace.Status.Phase == corev1.NamespaceTerminating:
		r.Refused = terminating(r)
	}
}

func terminating(r *Request) *metav1.Status {
	err := apierrors.NewForbidden(r.Kind.Resource.GroupResource(), forbiddenName(r),
		fmt.Errorf("unable to create new content in namespace %s because it is being terminated", r.Namespace))
	err.ErrStatus.Details.Causes = append(err.ErrStatus.Details.Causes, metav1.StatusCause{
		Type:    corev1.NamespaceTerminatingCause,
		Message: fmt.Sprintf("namespace %s is being terminated", r.Namespace),
		Field:   "metadata.namespace",
	})
	return statusOf(err)
}

// forbiddenName is the name in a denial: admission.NewForbidden falls back on generateName, and then says "Unknown".
func forbiddenName(r *Request) string {
	switch {
	case r.Name != "":
		return r.Name
	case r.GenerateName != "":
		return r.GenerateName
	}
	return "Unknown"
}
