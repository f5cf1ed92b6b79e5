package request

import (
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// toScale turns a request about a workload into one about its scale: what admission sees of X/scale is
// the autoscaling/v1 Scale that the API server makes of the workload
// (k8s.io/kubernetes pkg/registry/apps/deployment/storage, scaleFromDeployment, and alike).
func (r *Request) toScale() error {
	scale, err := scaleOf(r.Before)
	if err != nil {
		return err
	}
	r.Before = scale
	r.ObjectKind = autoscalingv1.SchemeGroupVersion.WithKind("Scale")
	// The scale's entries are made of the workload's, which is not done here.
	r.UnknownBefore = append(r.UnknownBefore, "metadata.managedFields")
	return nil
}

func scaleOf(object runtime.Object) (*autoscalingv1.Scale, error) {
	switch o := object.(type) {
	case *appsv1.Deployment:
		return newScale(o.ObjectMeta, o.Spec.Replicas, o.Status.Replicas, o.Spec.Selector)
	case *appsv1.StatefulSet:
		return newScale(o.ObjectMeta, o.Spec.Replicas, o.Status.Replicas, o.Spec.Selector)
	case *appsv1.ReplicaSet:
		return newScale(o.ObjectMeta, o.Spec.Replicas, o.Status.Replicas, o.Spec.Selector)
	}
	return nil, usageErrorf("/scale is simulated for Deployments, StatefulSets and ReplicaSets only; leave --subresource out")
}

func newScale(object metav1.ObjectMeta, replicas *int32, running int32, selector *metav1.LabelSelector) (*autoscalingv1.Scale, error) {
	parsed, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		return nil, err
	}
	wanted := int32(1) // the API server's default
	if replicas != nil {
		wanted = *replicas
	}
	return &autoscalingv1.Scale{
		TypeMeta: metav1.TypeMeta{APIVersion: "autoscaling/v1", Kind: "Scale"},
		ObjectMeta: metav1.ObjectMeta{
			Name: object.Name, Namespace: object.Namespace, UID: object.UID,
			ResourceVersion: object.ResourceVersion, CreationTimestamp: object.CreationTimestamp,
		},
		Spec:   autoscalingv1.ScaleSpec{Replicas: wanted},
		Status: autoscalingv1.ScaleStatus{Replicas: running, Selector: parsed.String()},
	}, nil
}
