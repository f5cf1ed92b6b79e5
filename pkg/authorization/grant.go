package authorization

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// Subject is a user, a group or a service account that a role is bound to. Only a service account has a namespace.
type Subject struct {
	Kind      string `json:"kind"` // User, Group or ServiceAccount
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// Grant is a right that a binding gives one of its subjects.
type Grant struct {
	Subject Subject
	// By names the binding and the role in the API server's words.
	By string

	binding *binding
	subject rbacv1.Subject
}

// Binding is where the grant's binding lies, in no namespace if it is a ClusterRoleBinding, and its name.
func (g Grant) Binding() (namespace, name string) { return g.binding.namespace, g.binding.name }

// Role names the binding and its role in the API server's words, without the subject.
func (g Grant) Role() string { return g.binding.describeRole() }

// To says whether a user has the right by this grant.
func (g Grant) To(u user.Info) bool { return g.binding.isUser(&g.subject, u) }

// Grants are those that allow what is asked, whoever asks it: those of the whole cluster first, else in the inventory's order. A
// subject that stands for nobody has none.
func (r *RBAC) Grants(asked authorizer.Attributes) []Grant {
	var grants []Grant
	for _, list := range [][]binding{r.clusterBindings, r.bindings[asked.GetNamespace()]} {
		for i := range list {
			if r.allows(&list[i], asked) {
				grants = append(grants, list[i].grants()...)
			}
		}
	}
	return grants
}

// Holders are the subjects, each once, of the bindings that allow a request, whoever makes it.
func (r *RBAC) Holders(made request.Request) []Subject {
	var holders []Subject
	for _, grant := range r.Grants(questionsOf(made)[0]) {
		if !slices.Contains(holders, grant.Subject) {
			holders = append(holders, grant.Subject)
		}
	}
	return holders
}

func (r *RBAC) allows(b *binding, asked authorizer.Attributes) bool {
	rules, _ := r.rules(b) // a role that isn't there allows nothing; see Dangling
	for i := range rules {
		if ruleAllows(&rules[i], asked) {
			return true
		}
	}
	return false
}

// subjectOf resolves a subject as isUser does.
func (b *binding) subjectOf(s rbacv1.Subject) (Subject, bool) {
	switch s.Kind {
	case rbacv1.UserKind, rbacv1.GroupKind:
		return Subject{Kind: s.Kind, Name: s.Name}, s.Name != ""
	case rbacv1.ServiceAccountKind:
		namespace := b.namespaceOf(&s)
		return Subject{Kind: s.Kind, Namespace: namespace, Name: s.Name}, namespace != "" && s.Name != ""
	}
	return Subject{}, false
}

// Dangling lists the bindings whose role is not among the manifests: on the cluster it may exist, and grant something. On a
// server's own objects a missing role is none.
func (r *RBAC) Dangling() []inventory.Gap {
	if !r.assumed {
		return nil
	}
	var gaps []inventory.Gap
	lists := [][]binding{r.clusterBindings}
	for _, list := range r.bindings {
		lists = append(lists, list)
	}
	for _, list := range lists {
		for i := range list {
			if _, err := r.rules(&list[i]); err != nil && len(list[i].subjects) > 0 {
				gaps = append(gaps, list[i].gap(list[i].subjects[0]))
			}
		}
	}
	return gaps
}

// The name of a group's member of whom nothing else is known, which nobody can have (RFC 2606), and the namespace of one that is a
// service account of any.
const (
	member            = "member.of.group.invalid"
	memberOfNamespace = "member-of-group-invalid"
)

// Requester is the subject as it makes requests, with the groups that the API server adds. RBAC does not say in which groups a user
// is, so that a user has no other; a group is represented by a member of whom nothing but the group is known.
func (s Subject) Requester() request.Requester {
	switch s.Kind {
	case rbacv1.ServiceAccountKind:
		return request.ServiceAccount(s.Namespace, s.Name, nil, "", nil)
	case rbacv1.GroupKind:
		return request.NewRequester(memberOf(s.Name), []string{s.Name}, "", nil)
	}
	return request.NewRequester(s.Name, nil, "", nil)
}

// memberOf names a group's member as the API server names those that have the group.
func memberOf(group string) string {
	switch namespace, all := serviceAccounts(group); {
	case all:
		return serviceaccount.MakeUsername(memberOfNamespace, member)
	case namespace != "":
		return serviceaccount.MakeUsername(namespace, member)
	case group == user.AllUnauthenticated:
		return user.Anonymous
	}
	return member
}

// serviceAccounts says of which service accounts a group consists, if it does.
func serviceAccounts(group string) (namespace string, all bool) {
	if group == serviceaccount.AllServiceAccountsGroup {
		return "", true
	}
	if n, found := strings.CutPrefix(group, serviceaccount.ServiceAccountGroupPrefix); found {
		return n, false
	}
	return "", false
}

// Compare orders subjects by kind, namespace and name.
func (s Subject) Compare(other Subject) int {
	return cmp.Or(cmp.Compare(s.Kind, other.Kind), cmp.Compare(s.Namespace, other.Namespace), cmp.Compare(s.Name, other.Name))
}

// String names the subject: group devs, service account team-a:deployer.
func (s Subject) String() string {
	switch s.Kind {
	case rbacv1.ServiceAccountKind:
		return fmt.Sprintf("service account %s:%s", s.Namespace, s.Name)
	case rbacv1.GroupKind:
		return "group " + s.Name
	}
	return s.Name
}
