package authorization

import (
	"fmt"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
)

// binding is a RoleBinding, or a ClusterRoleBinding if it lies in no namespace.
type binding struct {
	namespace, name string
	role            rbacv1.RoleRef
	subjects        []rbacv1.Subject
}

// subject returns the first of the binding's subjects that is the user.
func (b *binding) subject(u user.Info) (rbacv1.Subject, bool) {
	for i := range b.subjects {
		if b.isUser(&b.subjects[i], u) {
			return b.subjects[i], true
		}
	}
	return rbacv1.Subject{}, false
}

// isUser resolves a subject as the API server does (k8s.io/kubernetes pkg/registry/rbac/validation/rule.go,
// appliesToUser): its API group doesn't count, and a service account without a namespace is one of the binding's.
func (b *binding) isUser(s *rbacv1.Subject, u user.Info) bool {
	switch s.Kind {
	case rbacv1.UserKind:
		return s.Name == u.GetName()
	case rbacv1.GroupKind:
		return slices.Contains(u.GetGroups(), s.Name)
	case rbacv1.ServiceAccountKind:
		namespace := b.namespaceOf(s)
		return namespace != "" && serviceaccount.MatchesUsername(namespace, s.Name, u.GetName())
	}
	return false
}

func (b *binding) namespaceOf(s *rbacv1.Subject) string {
	if s.Namespace != "" {
		return s.Namespace
	}
	return b.namespace
}

// describe names the binding as the reason for a decision, in the API server's words.
func (b *binding) describe(s rbacv1.Subject) string {
	subject := fmt.Sprintf("%s %q", s.Kind, s.Name)
	if s.Kind == rbacv1.ServiceAccountKind {
		subject = fmt.Sprintf("%s %q", s.Kind, s.Name+"/"+b.namespaceOf(&s))
	}
	return b.describeRole() + " to " + subject
}

func (b *binding) describeRole() string {
	if b.namespace == "" {
		return fmt.Sprintf("ClusterRoleBinding %q of %s %q", b.name, b.role.Kind, b.role.Name)
	}
	return fmt.Sprintf("RoleBinding %q of %s %q", b.name+"/"+b.namespace, b.role.Kind, b.role.Name)
}
