package policy

import (
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
)

// whyNot names the field of match constraints that leaves a request out, such as
// "matchConstraints.objectSelector". It asks the library about each field alone.
func (v *validation) whyNot(field string, constraints *admissionregistrationv1.MatchResources) string {
	if !v.request.Explain || constraints == nil {
		return ""
	}
	return v.set.whyNot(v.attributes, v.objectInterfaces(), field, constraints)
}

func (s *Set) whyNot(a admission.Attributes, o admission.ObjectInterfaces, field string, constraints *admissionregistrationv1.MatchResources) string {
	matches := func(alone admissionregistrationv1.MatchResources) bool {
		alone.MatchPolicy = constraints.MatchPolicy
		ok, _, _, err := s.matcher.Matches(a, o, criteria{alone})
		return ok && err == nil
	}
	switch {
	case !matches(admissionregistrationv1.MatchResources{NamespaceSelector: constraints.NamespaceSelector}):
		return field + ".namespaceSelector"
	case !matches(admissionregistrationv1.MatchResources{ObjectSelector: constraints.ObjectSelector}):
		return field + ".objectSelector"
	case !matches(admissionregistrationv1.MatchResources{ResourceRules: constraints.ResourceRules}):
		return field + ".resourceRules"
	}
	for i, rule := range constraints.ExcludeResourceRules {
		if !matches(admissionregistrationv1.MatchResources{ExcludeResourceRules: []admissionregistrationv1.NamedRuleWithOperations{rule}}) {
			return fmt.Sprintf("%s.excludeResourceRules[%d]", field, i)
		}
	}
	return field
}

// criteria are match constraints of which some fields may be absent: an absent selector selects
// everything.
type criteria struct {
	constraints admissionregistrationv1.MatchResources
}

// GetParsedNamespaceSelector implements matching.MatchCriteria.
func (c criteria) GetParsedNamespaceSelector() (labels.Selector, error) {
	return selectorOrEverything(c.constraints.NamespaceSelector)
}

// GetParsedObjectSelector implements matching.MatchCriteria.
func (c criteria) GetParsedObjectSelector() (labels.Selector, error) {
	return selectorOrEverything(c.constraints.ObjectSelector)
}

// GetMatchResources implements matching.MatchCriteria.
func (c criteria) GetMatchResources() admissionregistrationv1.MatchResources { return c.constraints }

func selectorOrEverything(selector *metav1.LabelSelector) (labels.Selector, error) {
	if selector == nil {
		return labels.Everything(), nil
	}
	return metav1.LabelSelectorAsSelector(selector)
}

// excluded says whether policies never see a resource: policies and their bindings, and reviews
// of authentication and authorization (k8s.io/kubernetes/pkg/kubeapiserver/admission/exclusion).
func excluded(resource schema.GroupResource) bool {
	switch resource.Group {
	case "admissionregistration.k8s.io":
		return resource.Resource != "validatingwebhookconfigurations" && resource.Resource != "mutatingwebhookconfigurations"
	case "authentication.k8s.io", "authorization.k8s.io":
		return true
	}
	return false
}
