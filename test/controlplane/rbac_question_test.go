package controlplane

import (
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
)

// ask draws questions, once the controller has done its work.
func (g generator) ask(w *world, n int) {
	for range n {
		q := g.question()
		if g.IntN(4) > 0 {
			g.aim(w, &q)
		}
		w.Questions = append(w.Questions, q)
	}
}

// aim makes a question likely to be allowed: it takes parts of it from a binding and a rule of its role.
func (g generator) aim(w *world, q *question) {
	var ref rbacv1.RoleRef
	var subjects []rbacv1.Subject
	if i := g.IntN(len(w.ClusterRoleBindings) + len(w.RoleBindings) + 1); i < len(w.ClusterRoleBindings) {
		ref, subjects = w.ClusterRoleBindings[i].RoleRef, w.ClusterRoleBindings[i].Subjects
	} else if i -= len(w.ClusterRoleBindings); i < len(w.RoleBindings) {
		ref, subjects, q.Namespace = w.RoleBindings[i].RoleRef, w.RoleBindings[i].Subjects, w.RoleBindings[i].Namespace
	}
	if rules := w.rulesOf(ref, q.Namespace); len(rules) > 0 {
		g.aimAtRule(rules[g.IntN(len(rules))], q)
	}
	if len(subjects) > 0 {
		g.aimAtSubject(subjects[g.IntN(len(subjects))], q)
	}
}

func (w *world) rulesOf(ref rbacv1.RoleRef, namespace string) []rbacv1.PolicyRule {
	for _, r := range w.Roles {
		if ref.Kind == "Role" && r.Name == ref.Name && r.Namespace == namespace {
			return r.Rules
		}
	}
	for _, r := range w.decidedBy() {
		if ref.Kind == "ClusterRole" && r.Name == ref.Name {
			return r.Rules
		}
	}
	return nil
}

func (g generator) aimAtSubject(s rbacv1.Subject, q *question) {
	switch s.Kind {
	case rbacv1.UserKind:
		q.User = s.Name
	case rbacv1.GroupKind:
		q.Groups = append(q.Groups, s.Name)
	case rbacv1.ServiceAccountKind:
		q.User = "system:serviceaccount:" + g.one([]string{s.Namespace, "a", "b"}) + ":" + s.Name
	}
}

func (g generator) aimAtRule(r rbacv1.PolicyRule, q *question) {
	q.Resource = len(r.NonResourceURLs) == 0
	set := func(field *string, pool []string) {
		if len(pool) > 0 && g.IntN(8) > 0 {
			*field = g.one(pool)
		}
	}
	set(&q.Verb, r.Verbs)
	if !q.Resource {
		set(&q.Path, r.NonResourceURLs)
		q.Path = strings.Replace(q.Path, "*", g.one([]string{"", "*", "x"}), 1)
		return
	}
	set(&q.Group, r.APIGroups)
	set(&q.Name, r.ResourceNames)
	var resource string
	set(&resource, r.Resources)
	if kind, subresource, _ := strings.Cut(resource, "/"); kind != "" {
		q.Kind, q.Subresource = kind, subresource
	}
}

func (g generator) question() question {
	q := question{User: g.one(users), Groups: g.some(userGroups[:4], 3), Verb: g.one(verbs), Resource: g.IntN(5) > 0}
	if g.IntN(50) == 0 {
		q.Groups = append(q.Groups, g.one(userGroups))
	}
	if !q.Resource {
		q.Path = g.one(paths)
		return q
	}
	q.Group, q.Name, q.Namespace = g.one(groups), g.one(objectNames), g.one([]string{"", "a", "b", "c"})
	q.Kind, q.Subresource = g.one([]string{"deployments", "jobs", "scale", "*"}), g.one([]string{"", "", "scale", "status", "*"})
	return q
}
