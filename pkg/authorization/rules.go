package authorization

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// ruleAllows says whether a rule allows what is asked (k8s.io/kubernetes plugin/pkg/auth/authorizer/rbac/rbac.go,
// RuleAllows). A resource's and a path's rules are never mixed up: a rule is read for the one that is asked.
func ruleAllows(rule *rbacv1.PolicyRule, a authorizer.Attributes) bool {
	if !hasOrAll(rule.Verbs, a.GetVerb()) {
		return false
	}
	if !a.IsResourceRequest() {
		return slices.ContainsFunc(rule.NonResourceURLs, func(url string) bool { return urlMatches(url, a.GetPath()) })
	}
	return hasOrAll(rule.APIGroups, a.GetAPIGroup()) &&
		slices.ContainsFunc(rule.Resources, func(r string) bool { return resourceMatches(r, a.GetResource(), a.GetSubresource()) }) &&
		(len(rule.ResourceNames) == 0 || slices.Contains(rule.ResourceNames, a.GetName()))
}

// hasOrAll says whether a list has an item, or "*", which stands for every item.
func hasOrAll(list []string, item string) bool {
	return slices.Contains(list, item) || slices.Contains(list, "*")
}

// resourceMatches says whether a rule's resource stands for the one asked: "*" is everything, subresources included; "*/scale" is
// the subresource of every resource. There is no other pattern: "deployments/*" is only itself.
func resourceMatches(ruled, resource, subresource string) bool {
	if subresource == "" {
		return ruled == rbacv1.ResourceAll || ruled == resource
	}
	return ruled == rbacv1.ResourceAll || ruled == resource+"/"+subresource || ruled == "*/"+subresource
}

// urlMatches says whether a rule's URL stands for a path: itself, or what begins with it if it ends in "*".
func urlMatches(ruled, path string) bool {
	return ruled == path || strings.HasSuffix(ruled, "*") && strings.HasPrefix(path, strings.TrimRight(ruled, "*"))
}
