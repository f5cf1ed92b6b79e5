package policy

import (
	"fmt"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission"
)

// unread says why a policy can't be decided for a request, because something outside the request was
// not read: its parameters, or the labels of the namespace that it or one of its bindings selects by. nil: it can.
func (r Request) unread(source paramSource, constraints ...*admissionregistrationv1.MatchResources) error {
	if source.unread != nil {
		return source.unread
	}
	if r.NamespaceUnread && slices.ContainsFunc(constraints, selectsByLabels) {
		return fmt.Errorf("it selects namespaces by labels, and those of namespace %s are not known", r.Namespace)
	}
	return nil
}

// selectsByLabels says whether constraints look at more of a namespace than its name.
func selectsByLabels(c *admissionregistrationv1.MatchResources) bool {
	if c == nil || c.NamespaceSelector == nil {
		return false
	}
	for label := range c.NamespaceSelector.MatchLabels {
		if label != corev1.LabelMetadataName {
			return true
		}
	}
	return slices.ContainsFunc(c.NamespaceSelector.MatchExpressions, func(e metav1.LabelSelectorRequirement) bool {
		return e.Key != corev1.LabelMetadataName
	})
}

// mayMatch says whether constraints match a request, whatever its namespace's labels are.
func (s *Set) mayMatch(a admission.Attributes, o admission.ObjectInterfaces, constraints *admissionregistrationv1.MatchResources) bool {
	if constraints == nil {
		return true
	}
	anywhere := *constraints
	anywhere.NamespaceSelector = nil
	matches, _, _, err := s.matcher.Matches(a, o, criteria{anywhere})
	return matches || err != nil
}
