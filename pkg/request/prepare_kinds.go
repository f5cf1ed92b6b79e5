package request

import (
	"maps"
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// canonicalize is what follows validation: a Namespace's label (pkg/registry/core/namespace/strategy.go).
func (p *Prepared) canonicalize() {
	if namespace, ok := p.Object.(*corev1.Namespace); ok {
		setNamespaceLabel(namespace)
	}
}

func prepareNamespace(object runtime.Object) []string {
	namespace := object.(*corev1.Namespace)
	namespace.Status = corev1.NamespaceStatus{Phase: corev1.NamespaceActive}
	if !slices.Contains(namespace.Spec.Finalizers, corev1.FinalizerKubernetes) {
		namespace.Spec.Finalizers = append(namespace.Spec.Finalizers, corev1.FinalizerKubernetes)
	}
	setNamespaceLabel(namespace)
	if namespace.Name == GeneratedName {
		return []string{inventory.FieldPath("metadata", "labels", corev1.LabelMetadataName)}
	}
	return nil
}

func updateNamespace(object, old runtime.Object) []string {
	namespace := object.(*corev1.Namespace)
	namespace.Spec.Finalizers = append([]corev1.FinalizerName{}, old.(*corev1.Namespace).Spec.Finalizers...)
	setNamespaceLabel(namespace)
	return nil
}

func setTemplateGeneration(set *appsv1.DaemonSet, generation int64) {
	if set.Annotations == nil {
		set.Annotations = map[string]string{}
	}
	set.Annotations[appsv1.DeprecatedTemplateGeneration] = strconv.FormatInt(generation, 10)
}

func templateGeneration(set *appsv1.DaemonSet) int64 {
	generation, err := strconv.ParseInt(set.Annotations[appsv1.DeprecatedTemplateGeneration], 10, 64)
	if err != nil {
		return 0 // absent; the API server takes nothing else
	}
	return generation
}

// prepareDaemonSet and updateDaemonSet count the template's generations (pkg/registry/apps/daemonset/strategy.go).
func prepareDaemonSet(object runtime.Object) []string {
	set := object.(*appsv1.DaemonSet)
	setTemplateGeneration(set, max(1, templateGeneration(set)))
	return nil
}

func updateDaemonSet(object, old runtime.Object) []string {
	set, stored := object.(*appsv1.DaemonSet), old.(*appsv1.DaemonSet)
	generation := templateGeneration(stored)
	if equality.Semantic.DeepEqual(set.Spec.Template, stored.Spec.Template) {
		setTemplateGeneration(set, generation)
		return nil
	}
	setTemplateGeneration(set, generation+1)
	return []string{inventory.FieldPath("metadata", "annotations", appsv1.DeprecatedTemplateGeneration)}
}

var generatedJobLabels = []string{"controller-uid", "job-name", batchv1.ControllerUidLabel, batchv1.JobNameLabel}

// prepareJob makes the Job's selector of its UID (pkg/registry/batch/job/strategy.go, generateSelector).
func prepareJob(object runtime.Object) []string {
	spec := &object.(*batchv1.Job).Spec
	if spec.ManualSelector != nil && *spec.ManualSelector {
		return nil
	}
	meta := object.(metav1.Object)
	// Labels that were taken from the template may be the very same map, so that what follows shows in them, too.
	shared := meta.GetLabels() != nil && spec.Template.Labels != nil && maps.Equal(meta.GetLabels(), spec.Template.Labels)
	if spec.Template.Labels == nil {
		spec.Template.Labels = map[string]string{}
	}
	values := map[string]string{
		"job-name": meta.GetName(), batchv1.JobNameLabel: meta.GetName(),
		"controller-uid": string(meta.GetUID()), batchv1.ControllerUidLabel: string(meta.GetUID()),
	}
	for label, value := range values {
		if _, found := spec.Template.Labels[label]; !found {
			spec.Template.Labels[label] = value
		}
	}
	if spec.Selector == nil {
		spec.Selector = &metav1.LabelSelector{}
	}
	metav1.AddLabelToSelector(spec.Selector, batchv1.ControllerUidLabel, string(meta.GetUID()))
	unknown := []string{inventory.FieldPath("spec", "selector", "matchLabels", batchv1.ControllerUidLabel)}
	for label, value := range values {
		if label == "controller-uid" || label == batchv1.ControllerUidLabel || value == GeneratedName {
			unknown = append(unknown, inventory.FieldPath("spec", "template", "metadata", "labels", label))
		}
	}
	if shared {
		for _, label := range generatedJobLabels {
			unknown = append(unknown, inventory.FieldPath("metadata", "labels", label))
		}
	}
	slices.Sort(unknown)
	return unknown
}
