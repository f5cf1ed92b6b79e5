package controlplane

import (
	"fmt"
	"math/rand/v2"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// world are roles and bindings, and what is asked of them. The pools that everything is drawn from are small, so that
// rules, bindings and questions meet.
type world struct {
	Roles               []*rbacv1.Role
	ClusterRoles        []*rbacv1.ClusterRole
	RoleBindings        []*rbacv1.RoleBinding
	ClusterRoleBindings []*rbacv1.ClusterRoleBinding

	// Aggregate says that the controller's work is still to be done by whoever reads this.
	Aggregate bool
	Questions []question

	filled []*rbacv1.ClusterRole // the ClusterRoles after the controller's work
}

// question is what an authorizer is asked, and Kubernetes' answer.
type question struct {
	User     string
	Groups   []string
	Verb     string
	Resource bool // else Path is asked for

	Group, Name, Namespace, Kind, Subresource, Path string

	Decision, Reason, Err string
}

var (
	verbs        = []string{"get", "list", "create", "update", "patch", "delete", "*", "GET", ""}
	groups       = []string{"", "apps", "batch", "example.com", "*"}
	resources    = []string{"deployments", "deployments/scale", "deployments/status", "jobs", "*", "*/scale", "*/status", "deployments/*", "*/*", "/scale", "*/", "scale", ""}
	objectNames  = []string{"web", "api", "", "*"}
	urls         = []string{"/healthz", "/healthz/*", "/metrics", "/api*", "*", "/apis/**", "/", ""}
	paths        = []string{"/healthz", "/healthz/", "/healthz/etcd", "/metrics", "/api", "/apis/apps", "/apis/", "/", "", "*"}
	namespaces   = []string{"a", "b"}
	roleNames    = []string{"r0", "r1", "r2", "r3", "gone"}
	users        = []string{"dev", "ops", "system:serviceaccount:a:bot", "system:serviceaccount:b:bot", "system:serviceaccount:a:", "bot", ""}
	userGroups   = []string{"devs", "system:authenticated", "system:serviceaccounts", "system:serviceaccounts:a", "system:masters", "dev"}
	roleKinds    = []string{"Role", "ClusterRole", "ClusterRole", "Role", "ClusterRole", "Role", "Rule", ""}
	subjectKinds = []string{"User", "Group", "ServiceAccount", "User", "Group", "Robot"}
	labelValues  = []string{"1", "2", "3"}
)

// generator draws a world.
type generator struct{ *rand.Rand }

func (g generator) one(pool []string) string { return pool[g.IntN(len(pool))] }

// some draws up to n items, of which now and then none.
func (g generator) some(pool []string, n int) []string {
	var drawn []string
	for range g.IntN(n + 1) {
		drawn = append(drawn, g.one(pool))
	}
	return drawn
}

func (g generator) rules() []rbacv1.PolicyRule {
	var rules []rbacv1.PolicyRule
	for range 1 + g.IntN(4) {
		rule := rbacv1.PolicyRule{Verbs: g.some(verbs, 4)}
		if g.IntN(4) == 0 {
			rule.NonResourceURLs = g.some(urls, 3)
		} else {
			rule.APIGroups, rule.Resources = g.some(groups, 3), g.some(resources, 3)
			if g.IntN(3) == 0 {
				rule.ResourceNames = g.some(objectNames, 2)
			}
		}
		rules = append(rules, rule)
	}
	return rules
}

func (g generator) subjects() []rbacv1.Subject {
	var subjects []rbacv1.Subject
	for range 1 + g.IntN(4) {
		subject := rbacv1.Subject{Kind: g.one(subjectKinds), Name: g.one(slices.Concat(users, userGroups))}
		if subject.Kind == rbacv1.ServiceAccountKind {
			subject.Name, subject.Namespace = g.one([]string{"bot", "web", ""}), g.one([]string{"", "a", "b"})
		}
		subjects = append(subjects, subject)
	}
	return subjects
}

func (g generator) roleRef() rbacv1.RoleRef {
	return rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: g.one(roleKinds), Name: g.one(roleNames)}
}

// world draws roles and bindings; aggregate makes some of the ClusterRoles aggregated ones, in circles, too.
func (g generator) world(aggregate bool) *world {
	w := &world{Aggregate: aggregate}
	for _, name := range roleNames[:len(roleNames)-1] {
		for _, namespace := range namespaces {
			if g.IntN(4) > 0 {
				meta := metav1.ObjectMeta{Namespace: namespace, Name: name}
				w.Roles = append(w.Roles, &rbacv1.Role{ObjectMeta: meta, Rules: g.rules()})
			}
		}
		w.ClusterRoles = append(w.ClusterRoles, g.clusterRole(name, aggregate))
	}
	for i := range g.IntN(5) {
		meta := metav1.ObjectMeta{Name: fmt.Sprintf("c%d", i)}
		w.ClusterRoleBindings = append(w.ClusterRoleBindings, &rbacv1.ClusterRoleBinding{ObjectMeta: meta, Subjects: g.subjects(), RoleRef: g.roleRef()})
	}
	for i := range g.IntN(8) {
		meta := metav1.ObjectMeta{Namespace: g.one(namespaces), Name: fmt.Sprintf("b%d", i)}
		w.RoleBindings = append(w.RoleBindings, &rbacv1.RoleBinding{ObjectMeta: meta, Subjects: g.subjects(), RoleRef: g.roleRef()})
	}
	return w
}

func (g generator) clusterRole(name string, aggregate bool) *rbacv1.ClusterRole {
	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: name}, Rules: g.rules()}
	if !aggregate {
		return role
	}
	role.Labels = map[string]string{"x": g.one(labelValues), "y": g.one(labelValues)}
	if g.IntN(2) > 0 {
		return role
	}
	role.Rules, role.AggregationRule = nil, &rbacv1.AggregationRule{}
	for range 1 + g.IntN(2) {
		selector := metav1.LabelSelector{MatchLabels: map[string]string{g.one([]string{"x", "y", "z"}): g.one(labelValues)}}
		role.AggregationRule.ClusterRoleSelectors = append(role.AggregationRule.ClusterRoleSelectors, selector)
	}
	return role
}
