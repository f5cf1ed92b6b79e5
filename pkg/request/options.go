package request

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// The field managers that kubectl names where the user names none.
const (
	managerAnnotate        = "kubectl-annotate"
	managerPatch           = "kubectl-patch"
	managerCreate          = "kubectl-create"
	managerReplace         = "kubectl-replace"
	managerApply           = "kubectl-client-side-apply"
	managerServerSideApply = "kubectl"
)

// createOptions are a POST's, or those that the API server makes of PatchOptions or UpdateOptions where the
// object is created by them (k8s.io/apiserver pkg/endpoints/handlers, patchToCreateOptions). kubectl creates with
// fieldValidation=Strict only.
func createOptions(manager string) *metav1.CreateOptions {
	return &metav1.CreateOptions{TypeMeta: optionsKind("CreateOptions"), FieldManager: manager, FieldValidation: metav1.FieldValidationStrict}
}

// updateOptions are a PUT's, or those that the API server makes of PatchOptions (patchToUpdateOptions).
func updateOptions(manager, fieldValidation string) *metav1.UpdateOptions {
	return &metav1.UpdateOptions{TypeMeta: optionsKind("UpdateOptions"), FieldManager: manager, FieldValidation: fieldValidation}
}

// deleteOptions are those of kubectl delete. For a Namespace the API server adds its UID before admission
// (k8s.io/kubernetes pkg/registry/core/namespace/storage).
func deleteOptions(namespaceUID types.UID) *metav1.DeleteOptions {
	policy := metav1.DeletePropagationBackground
	options := &metav1.DeleteOptions{TypeMeta: optionsKind("DeleteOptions"), PropagationPolicy: &policy}
	if namespaceUID != "" {
		options.Preconditions = &metav1.Preconditions{UID: &namespaceUID}
	}
	return options
}

func optionsKind(kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: metav1.SchemeGroupVersion.String(), Kind: kind}
}
