package inventory

import (
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// The functions here set what the API server sets on reading an object of this group. The values are
// those of k8s.io/kubernetes pkg/apis/admissionregistration/{v1,v1beta1,v1alpha1}/defaults.go.

// setPolicyDefaults sets a policy's, binding's or webhook configuration's defaults in place. The version is
// the one that the object was written in: some defaults were others in the versions before v1.
func setPolicyDefaults(object any, version string) {
	switch o := object.(type) {
	case *admissionregistrationv1.ValidatingAdmissionPolicy:
		setDefault(&o.Spec.FailurePolicy, admissionregistrationv1.Fail)
		setMatchDefaults(o.Spec.MatchConstraints)
	case *admissionregistrationv1.MutatingAdmissionPolicy:
		setDefault(&o.Spec.FailurePolicy, admissionregistrationv1.Fail)
		setMatchDefaults(o.Spec.MatchConstraints)
	case *admissionregistrationv1.ValidatingAdmissionPolicyBinding:
		setMatchDefaults(o.Spec.MatchResources)
		setParamRefDefaults(o.Spec.ParamRef, version)
	case *admissionregistrationv1.MutatingAdmissionPolicyBinding:
		setMatchDefaults(o.Spec.MatchResources)
		setParamRefDefaults(o.Spec.ParamRef, version)
	case *admissionregistrationv1.ValidatingWebhookConfiguration:
		for i := range o.Webhooks {
			setValidatingWebhookDefaults(&o.Webhooks[i], version)
		}
	case *admissionregistrationv1.MutatingWebhookConfiguration:
		for i := range o.Webhooks {
			setMutatingWebhookDefaults(&o.Webhooks[i], version)
		}
	}
}

func setMatchDefaults(match *admissionregistrationv1.MatchResources) {
	if match == nil {
		return
	}
	setDefault(&match.MatchPolicy, admissionregistrationv1.Equivalent)
	setDefault(&match.NamespaceSelector, metav1.LabelSelector{})
	setDefault(&match.ObjectSelector, metav1.LabelSelector{})
	for i := range match.ResourceRules {
		setDefault(&match.ResourceRules[i].Scope, admissionregistrationv1.AllScopes)
	}
	for i := range match.ExcludeResourceRules {
		setDefault(&match.ExcludeResourceRules[i].Scope, admissionregistrationv1.AllScopes)
	}
}

func setParamRefDefaults(ref *admissionregistrationv1.ParamRef, version string) {
	if ref != nil && version == "v1alpha1" {
		setDefault(&ref.ParameterNotFoundAction, admissionregistrationv1.DenyAction)
	}
}

func setValidatingWebhookDefaults(w *admissionregistrationv1.ValidatingWebhook, version string) {
	setWebhookDefaults(version, &w.FailurePolicy, &w.MatchPolicy, &w.SideEffects, &w.TimeoutSeconds, &w.AdmissionReviewVersions)
	setDefault(&w.NamespaceSelector, metav1.LabelSelector{})
	setDefault(&w.ObjectSelector, metav1.LabelSelector{})
	setClientDefaults(w.ClientConfig.Service, w.Rules)
}

func setMutatingWebhookDefaults(w *admissionregistrationv1.MutatingWebhook, version string) {
	setWebhookDefaults(version, &w.FailurePolicy, &w.MatchPolicy, &w.SideEffects, &w.TimeoutSeconds, &w.AdmissionReviewVersions)
	setDefault(&w.NamespaceSelector, metav1.LabelSelector{})
	setDefault(&w.ObjectSelector, metav1.LabelSelector{})
	setDefault(&w.ReinvocationPolicy, admissionregistrationv1.NeverReinvocationPolicy)
	setClientDefaults(w.ClientConfig.Service, w.Rules)
}

// setWebhookDefaults sets the fields whose defaults were others in v1beta1.
func setWebhookDefaults(version string, failure **admissionregistrationv1.FailurePolicyType, match **admissionregistrationv1.MatchPolicyType,
	sideEffects **admissionregistrationv1.SideEffectClass, timeout **int32, reviews *[]string,
) {
	if version == "v1beta1" {
		setDefault(failure, admissionregistrationv1.Ignore)
		setDefault(match, admissionregistrationv1.Exact)
		setDefault(sideEffects, admissionregistrationv1.SideEffectClassUnknown)
		setDefault(timeout, 30)
		setReviewVersions(reviews, version)
	}
	setDefault(failure, admissionregistrationv1.Fail)
	setDefault(match, admissionregistrationv1.Equivalent)
	setDefault(timeout, 10)
}

func setClientDefaults(service *admissionregistrationv1.ServiceReference, rules []admissionregistrationv1.RuleWithOperations) {
	if service != nil {
		setDefault(&service.Port, 443)
	}
	for i := range rules {
		setDefault(&rules[i].Scope, admissionregistrationv1.AllScopes)
	}
}

func setReviewVersions(field *[]string, version string) {
	if len(*field) == 0 {
		*field = []string{version}
	}
}

// setNamespaceDefaults sets what the API server sets on every namespace: the label that selectors
// find it by, and its phase.
func setNamespaceDefaults(ns *corev1.Namespace) {
	if ns.Labels == nil {
		ns.Labels = map[string]string{}
	}
	ns.Labels[corev1.LabelMetadataName] = ns.Name
	if ns.Status.Phase == "" {
		ns.Status.Phase = corev1.NamespaceActive
	}
}

func setDefault[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}

// SetDefaults sets the defaults of a v1 policy, binding or webhook configuration in place, as the API server does.
func SetDefaults(object runtime.Object) {
	setPolicyDefaults(object, admissionregistrationv1.SchemeGroupVersion.Version)
}
