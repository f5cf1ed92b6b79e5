package request

import (
	"errors"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// errModified is the API server's where an object is not of the resourceVersion that was sent
// (k8s.io/apiserver pkg/registry/generic/registry, OptimisticLockErrorMsg).
var errModified = errors.New("the object has been modified; please apply your changes to the latest version and try again")

// statusOf is the Status that the API server answers an error with
// (k8s.io/apiserver pkg/endpoints/handlers/responsewriters, ErrorToAPIStatus).
func statusOf(err error) *metav1.Status {
	var known apierrors.APIStatus
	if errors.As(err, &known) {
		status := known.Status()
		setStatusKind(&status)
		return &status
	}
	status := metav1.Status{Status: metav1.StatusFailure, Code: http.StatusInternalServerError, Message: err.Error()}
	setStatusKind(&status)
	return &status
}

func setStatusKind(status *metav1.Status) {
	status.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
}
