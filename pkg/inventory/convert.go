package inventory

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// sameFields are the built-in kinds whose fields are the same in every version that client-go still
// knows, so that only the version's name has to change. Ingress and HorizontalPodAutoscaler are not among them.
var sameFields = map[schema.GroupKind]bool{
	{Group: "batch", Kind: "CronJob"}:                                                 true,
	{Group: "policy", Kind: "PodDisruptionBudget"}:                                    true,
	{Group: "apps", Kind: "Deployment"}:                                               true,
	{Group: "apps", Kind: "StatefulSet"}:                                              true,
	{Group: "apps", Kind: "DaemonSet"}:                                                true,
	{Group: "apps", Kind: "ReplicaSet"}:                                               true,
	{Group: "apps", Kind: "ControllerRevision"}:                                       true,
	{Group: "rbac.authorization.k8s.io", Kind: "Role"}:                                true,
	{Group: "rbac.authorization.k8s.io", Kind: "RoleBinding"}:                         true,
	{Group: "rbac.authorization.k8s.io", Kind: "ClusterRole"}:                         true,
	{Group: "rbac.authorization.k8s.io", Kind: "ClusterRoleBinding"}:                  true,
	{Group: "admissionregistration.k8s.io", Kind: "ValidatingAdmissionPolicy"}:        true,
	{Group: "admissionregistration.k8s.io", Kind: "ValidatingAdmissionPolicyBinding"}: true,
	{Group: "admissionregistration.k8s.io", Kind: "MutatingAdmissionPolicy"}:          true,
	{Group: "admissionregistration.k8s.io", Kind: "MutatingAdmissionPolicyBinding"}:   true,
	{Group: "admissionregistration.k8s.io", Kind: "ValidatingWebhookConfiguration"}:   true,
	{Group: "admissionregistration.k8s.io", Kind: "MutatingWebhookConfiguration"}:     true,
}

// convert returns a copy of an object in another version of its kind. A *ConversionError says that it
// takes an API server to do that.
func (f *files) convert(object *fileObject, to schema.GroupVersionKind) (runtime.Object, error) {
	if object.kind == to {
		return object.value.DeepCopyObject(), nil
	}
	if custom, ok := object.value.(*unstructured.Unstructured); ok && f.custom.convertible(to) {
		converted := custom.DeepCopy()
		converted.SetGroupVersionKind(to)
		f.custom.setDefaults(converted)
		return converted, nil
	}
	if sameFields[to.GroupKind()] && isBuiltIn(to) {
		data, err := utiljson.Marshal(object.value)
		if err != nil {
			return nil, err
		}
		return decodeTyped(data, to)
	}
	return nil, &ConversionError{From: object.kind, To: to}
}

// convertible says whether a custom resource's versions differ in name only.
func (c customKinds) convertible(to schema.GroupVersionKind) bool {
	kind, defined := c[to.GroupKind()]
	if !defined {
		return false
	}
	conversion := kind.crd.Spec.Conversion
	return conversion == nil || conversion.Strategy == apiextensionsv1.NoneConverter
}
