package request

import (
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// complete makes in place what of the API server's defaults and conversions policies see in metadata,
// before mutating admission already:
//   - a Namespace's label and phase (k8s.io/kubernetes pkg/apis/core/v1/defaults.go),
//   - a Service's target ports, which are no pointers, so that their absence does not show,
//   - a Job's labels, which are its template's (pkg/apis/batch/v1/defaults.go),
//   - a DaemonSet's template generation, which v1 has as an annotation (pkg/apis/apps/v1/conversion.go).
func complete(object runtime.Object) {
	switch o := object.(type) {
	case *corev1.Namespace:
		setNamespaceLabel(o)
		if o.Status.Phase == "" {
			o.Status.Phase = corev1.NamespaceActive
		}
	case *corev1.Service:
		for i, port := range o.Spec.Ports {
			if port.TargetPort == (intstr.IntOrString{}) || port.TargetPort == intstr.FromString("") {
				o.Spec.Ports[i].TargetPort = intstr.FromInt32(port.Port)
			}
		}
	case *batchv1.Job:
		if len(o.Labels) == 0 && o.Spec.Template.Labels != nil {
			o.Labels = maps.Clone(o.Spec.Template.Labels)
		}
	case *appsv1.DaemonSet:
		if _, found := o.Annotations[appsv1.DeprecatedTemplateGeneration]; !found {
			setTemplateGeneration(o, 0)
		}
	}
}

// completeStored does in place for a manifest that stands for a stored object what storing it would have done.
func completeStored(object runtime.Object) {
	complete(object)
	switch o := object.(type) {
	case *corev1.Namespace:
		if len(o.Spec.Finalizers) == 0 && o.DeletionTimestamp == nil {
			o.Spec.Finalizers = []corev1.FinalizerName{corev1.FinalizerKubernetes}
		}
	case *appsv1.DaemonSet:
		setTemplateGeneration(o, max(1, templateGeneration(o)))
	}
}

func setNamespaceLabel(namespace *corev1.Namespace) {
	if namespace.Name == "" {
		return
	}
	if namespace.Labels == nil {
		namespace.Labels = map[string]string{}
	}
	namespace.Labels[corev1.LabelMetadataName] = namespace.Name
}

// forgetAllocated takes out in place what the API server gave an object when it was created and would not take from
// a client: a Service's addresses and ports, a Job's selector.
func forgetAllocated(object runtime.Object) {
	switch o := object.(type) {
	case *corev1.Service:
		forgetAddresses(&o.Spec)
	case *batchv1.Job:
		if o.Spec.ManualSelector == nil || !*o.Spec.ManualSelector {
			o.Spec.Selector = nil
			for _, label := range generatedJobLabels {
				delete(o.Spec.Template.Labels, label)
			}
		}
	}
}

func forgetAddresses(spec *corev1.ServiceSpec) {
	if spec.ClusterIP != corev1.ClusterIPNone {
		spec.ClusterIP, spec.ClusterIPs = "", nil
	}
	spec.HealthCheckNodePort = 0
	for i := range spec.Ports {
		spec.Ports[i].NodePort = 0
	}
}
