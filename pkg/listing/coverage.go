package listing

import (
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// matchOf describes match constraints.
func matchOf(m *admissionregistrationv1.MatchResources) Match {
	if m == nil {
		return Match{}
	}
	return Match{
		Resources: fold(m.ResourceRules), ExcludedResources: fold(m.ExcludeResourceRules),
		NamespaceSelector: selectorText(m.NamespaceSelector), ObjectSelector: selectorText(m.ObjectSelector),
	}
}

func matchPolicyOf(m *admissionregistrationv1.MatchResources) string {
	if m == nil {
		return ""
	}
	return textOf(m.MatchPolicy)
}

// fold makes one of rules that differ in their resources only, where the first of them stands.
func fold(rules []admissionregistrationv1.NamedRuleWithOperations) []Resources {
	var folded []Resources
	for _, rule := range rules {
		r := resourcesOf(rule)
		same := slices.IndexFunc(folded, r.sameButResources)
		if same < 0 {
			folded = append(folded, r)
			continue
		}
		for _, resource := range r.Resources {
			if !slices.Contains(folded[same].Resources, resource) {
				folded[same].Resources = append(folded[same].Resources, resource)
			}
		}
	}
	return folded
}

func resourcesOf(rule admissionregistrationv1.NamedRuleWithOperations) Resources {
	r := Resources{
		APIGroups: rule.APIGroups, APIVersions: rule.APIVersions, Resources: slices.Clone(rule.Resources),
		ResourceNames: rule.ResourceNames, Scope: textOf(rule.Scope),
	}
	for _, operation := range rule.Operations {
		r.Operations = append(r.Operations, string(operation))
	}
	return r
}

func (r Resources) sameButResources(other Resources) bool {
	return slices.Equal(r.APIGroups, other.APIGroups) && slices.Equal(r.APIVersions, other.APIVersions) &&
		slices.Equal(r.ResourceNames, other.ResourceNames) && slices.Equal(r.Operations, other.Operations) && r.Scope == other.Scope
}

// selectorText is a selector as kubectl's --selector takes it; empty where it selects everything. Every namespace has its name as a label
// (k8s.io/kubernetes pkg/apis/core/v1, SetDefaults_Namespace), so that asking for that label alone leaves none out.
func selectorText(selector *metav1.LabelSelector) string {
	if selectsAll(selector) {
		return ""
	}
	return metav1.FormatLabelSelector(selector)
}

func selectsAll(selector *metav1.LabelSelector) bool {
	if selector == nil {
		return true
	}
	return len(selector.MatchLabels) == 0 && !slices.ContainsFunc(selector.MatchExpressions, func(r metav1.LabelSelectorRequirement) bool {
		return r.Key != corev1.LabelMetadataName || r.Operator != metav1.LabelSelectorOpExists
	})
}
