package inventory

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Aggregate returns the same roles and bindings with the rules of every aggregated ClusterRole that has none filled in from
// the roles that its aggregationRule selects, as a cluster's controller does in the end
// (k8s.io/kubernetes pkg/controller/clusterroleaggregation). An API server without controllers decides by the empty rules.
func (r *RBAC) Aggregate() *RBAC {
	filled := *r
	filled.ClusterRoles = slices.Clone(r.ClusterRoles)
	for i, role := range r.ClusterRoles {
		if !lacksRules(role) {
			continue
		}
		filled.ClusterRoles[i] = role.DeepCopy()
		filled.ClusterRoles[i].Rules = r.aggregatedRules(role)
	}
	return &filled
}

func lacksRules(role *rbacv1.ClusterRole) bool {
	return role.AggregationRule != nil && len(role.Rules) == 0
}

// aggregatedRules collects the rules of the roles that a role aggregates, and of those that they aggregate in turn.
func (r *RBAC) aggregatedRules(role *rbacv1.ClusterRole) []rbacv1.PolicyRule {
	var rules []rbacv1.PolicyRule
	seen := map[string]bool{role.Name: true}
	pending := []*rbacv1.ClusterRole{role}
	for len(pending) > 0 {
		next := pending[0]
		pending = pending[1:]
		if !lacksRules(next) {
			rules = appendNew(rules, next.Rules)
			continue
		}
		for _, selected := range r.selected(next.AggregationRule) {
			if !seen[selected.Name] {
				seen[selected.Name] = true
				pending = append(pending, selected)
			}
		}
	}
	return rules
}

// selected returns the roles that an aggregationRule selects. The controller gives up on a rule of which one
// selector can't be read.
func (r *RBAC) selected(rule *rbacv1.AggregationRule) []*rbacv1.ClusterRole {
	var roles []*rbacv1.ClusterRole
	for i := range rule.ClusterRoleSelectors {
		selector, err := metav1.LabelSelectorAsSelector(&rule.ClusterRoleSelectors[i])
		if err != nil {
			return nil
		}
		for _, role := range r.ClusterRoles {
			if selector.Matches(labels.Set(role.Labels)) {
				roles = append(roles, role)
			}
		}
	}
	return roles
}

// appendNew appends the rules that are not there yet.
func appendNew(rules, more []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	for _, rule := range more {
		isSame := func(other rbacv1.PolicyRule) bool { return equality.Semantic.DeepEqual(other, rule) }
		if !slices.ContainsFunc(rules, isSame) {
			rules = append(rules, rule)
		}
	}
	return rules
}
