package chart

import (
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	admissionregistrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// WrittenVersion is the version in which the chart (1.3) writes a kind of policy or binding, whatever the cluster serves.
func WrittenVersion(kind string) schema.GroupVersion {
	if strings.HasPrefix(kind, "Mutating") {
		return admissionregistrationv1beta1.SchemeGroupVersion
	}
	return admissionregistrationv1.SchemeGroupVersion
}
