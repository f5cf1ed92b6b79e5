package request

import (
	"cmp"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// refuse takes over the API server's refusal; any other error is handed back.
func (s *sending) refuse(err error) error {
	if status := apierrors.APIStatus(nil); errors.As(err, &status) {
		s.request.Refused = statusOf(err)
		return nil
	}
	return err
}

// refuseMissing makes the request the update of an object that does not exist.
func (s *sending) refuseMissing() {
	r := &s.request
	r.Operation = admission.Update
	r.Verb = "patch"
	if s.via == ViaReplace {
		r.Verb = "update"
	}
	r.Options = updateOptions(cmp.Or(s.options.FieldManager, s.manager()), metav1.FieldValidationStrict)
	r.Refused = statusOf(apierrors.NewNotFound(s.kind.Resource.GroupResource(), r.Name))
}

// manager is the field manager that kubectl names for the way.
func (s *sending) manager() string {
	return map[Via]string{
		ViaApply: managerApply, ViaServerSideApply: managerServerSideApply, ViaReplace: managerReplace, ViaCreate: managerCreate,
	}[s.via]
}

// propose sets the object that is sent, which the API server will default.
func (s *sending) propose(object runtime.Object) {
	r := &s.request
	s.clearNamespace(object)
	r.Proposed = object
	if s.kind.Kind.GroupKind() != namespaceKind { // complete knows a Namespace's defaults
		r.UndefaultedProposed = true
		r.Undefaulted = true
	}
	r.noteManagedFields()
	s.assumeValid()
}

func (s *sending) delete() error {
	if s.stored == nil {
		s.request.Operation, s.request.Verb = admission.Delete, "delete"
		s.request.Options = deleteOptions("")
		s.request.Refused = statusOf(apierrors.NewNotFound(s.kind.Resource.GroupResource(), s.request.Name))
		return nil
	}
	s.request.Operation = admission.Delete
	r, err := s.request.delete(*s.stored, Change{})
	s.request = r
	return err
}

// clearNamespace takes the namespace out of a cluster-scoped object in place, as the API server does
// (k8s.io/apiserver pkg/registry/rest/meta.go, EnsureObjectNamespaceMatchesRequestNamespace).
func (s *sending) clearNamespace(object runtime.Object) {
	if meta, ok := object.(metav1.Object); ok && !s.kind.Namespaced && meta.GetNamespace() != "" {
		meta.SetNamespace("")
	}
}

// assumeValid says that what is sent is taken to be valid: of the API's own validation only metadata's is done here, see Validate.
func (s *sending) assumeValid() {
	why := "only the API server validates what is outside of metadata"
	if !builtIn(s.kind.Kind) {
		why = "only the API server validates, prunes and defaults a custom resource by its schema"
	}
	s.request.Assumptions = append(s.request.Assumptions, inventory.Gap{
		What: fmt.Sprintf("the spec of %s %s is valid", s.kind.Kind.Kind, cmp.Or(s.request.Name, s.request.GenerateName)), Why: why,
	})
}
