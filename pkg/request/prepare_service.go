package request

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// allocated are the fields of a Service that the API server fills in before validating admission
// (k8s.io/kubernetes pkg/registry/core/service/storage, beginCreate and beginUpdate).
var allocated = []string{
	"spec.clusterIP", "spec.clusterIPs", "spec.ipFamilies", "spec.ipFamilyPolicy", "spec.ports", "spec.healthCheckNodePort",
}

// prepareService marks what is allocated on CREATE.
func prepareService(runtime.Object) []string { return allocated }

// updateService keeps what was allocated, where the Service's type stays and the request leaves it out, as
// patchAllocatedValues does. Where the type changes, what comes of it is not known.
func updateService(object, old runtime.Object) []string {
	service, stored := &object.(*corev1.Service).Spec, &old.DeepCopyObject().(*corev1.Service).Spec
	if serviceType(service) != serviceType(stored) {
		return allocated
	}
	if serviceType(service) == corev1.ServiceTypeExternalName {
		return nil
	}
	if service.ClusterIP == "" {
		service.ClusterIP = stored.ClusterIP
	}
	if len(service.ClusterIPs) == 0 {
		service.ClusterIPs = stored.ClusterIPs
	}
	if len(service.IPFamilies) == 0 {
		service.IPFamilies = stored.IPFamilies
	}
	if service.IPFamilyPolicy == nil {
		service.IPFamilyPolicy = stored.IPFamilyPolicy
	}
	if serviceType(service) == corev1.ServiceTypeClusterIP {
		return nil
	}
	return []string{"spec.ports", "spec.healthCheckNodePort"}
}

func serviceType(spec *corev1.ServiceSpec) corev1.ServiceType {
	if spec.Type == "" {
		return corev1.ServiceTypeClusterIP // the API server's default
	}
	return spec.Type
}
