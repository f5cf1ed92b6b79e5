package authorization

import (
	"maps"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// grantsOf are those that give a right; where some name will do, each that gives it for one.
func (r *RBAC) grantsOf(a asking) []Grant {
	switch {
	case len(a.names) > 0:
		return r.grantsOfNames(a)
	case !a.some:
		return r.Grants(a.AttributesRecord)
	}
	grants := r.grantsOfSome(r.clusterBindings, a.AttributesRecord)
	if a.Resource != "serviceaccounts" {
		return grants // users and groups lie in no namespace, and a RoleBinding gives no right to them
	}
	for _, namespace := range slices.Sorted(maps.Keys(r.bindings)) {
		grants = append(grants, r.grantsOfSome(r.bindings[namespace], a.AttributesRecord)...)
	}
	return grants
}

func (r *RBAC) grantsOfSome(bindings []binding, asked authorizer.AttributesRecord) []Grant {
	var grants []Grant
	for i := range bindings {
		rules, _ := r.rules(&bindings[i])
		if slices.ContainsFunc(rules, func(rule rbacv1.PolicyRule) bool { return allowsSome(rule, asked) }) {
			grants = append(grants, bindings[i].grants()...)
		}
	}
	return grants
}

// grantsOfNames are those that give a right for one of some names.
func (r *RBAC) grantsOfNames(a asking) []Grant {
	var grants []Grant
	for _, list := range [][]binding{r.clusterBindings, r.bindings[a.Namespace]} {
		for i := range list {
			rules, _ := r.rules(&list[i])
			if slices.ContainsFunc(rules, func(rule rbacv1.PolicyRule) bool {
				return allowsSome(rule, a.AttributesRecord) &&
					(len(rule.ResourceNames) == 0 || slices.ContainsFunc(a.names, func(name string) bool { return slices.Contains(rule.ResourceNames, name) }))
			}) {
				grants = append(grants, list[i].grants()...)
			}
		}
	}
	return grants
}

// allowsSome says whether a rule allows what is asked, be it for one name only.
func allowsSome(rule rbacv1.PolicyRule, asked authorizer.AttributesRecord) bool {
	rule.ResourceNames = nil
	return ruleAllows(&rule, asked)
}

// grants are the binding's, one for each subject that stands for somebody.
func (b *binding) grants() []Grant {
	var grants []Grant
	for _, s := range b.subjects {
		if subject, is := b.subjectOf(s); is {
			grants = append(grants, Grant{Subject: subject, By: b.describe(s), binding: b, subject: s})
		}
	}
	return grants
}
