package policy

import (
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Lists says whether some rule of what a policy or a binding matches lists a resource or one of its subresources, by name or by a wildcard; in
// whatever version, since the API server matches the others by default, too. It does not ask what leaves requests out again.
func Lists(match *admissionregistrationv1.MatchResources, resource schema.GroupResource) bool {
	return match != nil && slices.ContainsFunc(match.ResourceRules, func(rule admissionregistrationv1.NamedRuleWithOperations) bool {
		inGroup := slices.Contains(rule.APIGroups, "*") || slices.Contains(rule.APIGroups, resource.Group)
		return inGroup && slices.ContainsFunc(rule.Resources, func(listed string) bool {
			name, _, _ := strings.Cut(listed, "/")
			return name == "*" || name == resource.Resource
		})
	})
}
