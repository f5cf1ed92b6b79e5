package authorization

import (
	"slices"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// JointPaths are the ways to be two subjects at once: whoever impersonates names one user or service account, itself included, and any number of
// groups. One of the two is what a policy asks for, the other has the rights. Made are the requests that follow, as for ConstrainedPaths.
func (r *RBAC) JointPaths(to, with Subject, made ...authorizer.AttributesRecord) []Path {
	var paths []Path
	for _, w := range jointWays(to, with, made) {
		for _, path := range r.along(w) {
			if slices.ContainsFunc(paths, func(p Path) bool { return p.From == path.From }) {
				continue
			}
			path.To, path.With = to, &with
			paths = append(paths, path)
		}
	}
	return paths
}

// jointWays take one right for each of the two, and one for some user where both are groups. Constrained, it is no service account and
// no node.
func jointWays(to, with Subject, made []authorizer.AttributesRecord) []way {
	classicWay := way{kind: PathImpersonation, takes: [][]asking{{impersonating(to)}, {impersonating(with)}}}
	constrainedWay := way{kind: PathImpersonation, takes: [][]asking{{constrainedly(to)}, {constrainedly(with)}, requesting(modeUserInfo, made)}}
	switch {
	case with == (Subject{Kind: rbacv1.GroupKind, Name: user.AllAuthenticated}): // in which everybody is without being asked
		return append(waysTo(to), constrainedWaysTo(to, made)...)
	case to == with || to.Kind != rbacv1.GroupKind && with.Kind != rbacv1.GroupKind:
		return nil
	case to.Kind == rbacv1.GroupKind && with.Kind == rbacv1.GroupKind:
		classicWay.takes = append(classicWay.takes, someUser())
		constrainedWay.takes = append(constrainedWay.takes, []asking{some(everywhere(constrained+modeUserInfo, authenticationv1.GroupName, "users", ""))})
	}
	if len(made) == 0 || slices.ContainsFunc([]Subject{to, with}, refusedConstrained) {
		return []way{classicWay}
	}
	return []way{classicWay, constrainedWay}
}

// refusedConstrained says whether the constrained form that takes groups refuses a subject.
func refusedConstrained(s Subject) bool {
	switch s.Kind {
	case rbacv1.ServiceAccountKind:
		return true
	case rbacv1.GroupKind:
		return s.Name == user.SystemPrivilegedGroup
	}
	return strings.HasPrefix(s.Name, "system:node:")
}

func impersonating(s Subject) asking {
	switch s.Kind {
	case rbacv1.ServiceAccountKind:
		return inNamespace(s.Namespace, classic, corev1.GroupName, "serviceaccounts", s.Name)
	case rbacv1.GroupKind:
		return everywhere(classic, corev1.GroupName, "groups", s.Name)
	}
	return everywhere(classic, corev1.GroupName, "users", s.Name)
}

func constrainedly(s Subject) asking {
	resource := "users"
	if s.Kind == rbacv1.GroupKind {
		resource = "groups"
	}
	return everywhere(constrained+modeUserInfo, authenticationv1.GroupName, resource, s.Name)
}

// someUser is the right to impersonate any user or service account, be it one only.
func someUser() []asking {
	return []asking{some(everywhere(classic, corev1.GroupName, "users", "")), some(everywhere(classic, corev1.GroupName, "serviceaccounts", ""))}
}

// JointRequester is who somebody is that has taken on two subjects at once. The API server gives a service account no groups beside those
// that are impersonated.
func JointRequester(to, with Subject) request.Requester {
	username := member
	var groups []string
	for _, s := range []Subject{to, with} {
		switch s.Kind {
		case rbacv1.ServiceAccountKind:
			username = serviceaccount.MakeUsername(s.Namespace, s.Name)
		case rbacv1.GroupKind:
			groups = append(groups, s.Name)
		default:
			username = s.Name
		}
	}
	if !slices.Contains(groups, user.AllAuthenticated) && !slices.Contains(groups, user.AllUnauthenticated) {
		groups = append(groups, user.AllAuthenticated)
	}
	return request.Requester{Username: username, Groups: groups, Extra: map[string][]string{}}
}

// ImpersonatesGroups says whether somebody may impersonate some group who is no administrator: without that nobody takes on two subjects.
func (r *RBAC) ImpersonatesGroups(administrators Administrators) bool {
	for _, a := range []asking{
		some(everywhere(classic, corev1.GroupName, "groups", "")), some(everywhere(constrained+modeUserInfo, authenticationv1.GroupName, "groups", "")),
	} {
		if slices.ContainsFunc(r.grantsOf(a), func(g Grant) bool { return !administrators.Include(g.Subject) }) {
			return true
		}
	}
	return false
}

// Impersonated are the users and groups that roles name as those whom somebody may impersonate (resourceNames).
func (r *RBAC) Impersonated() []Subject {
	var named []Subject
	for _, rules := range r.roles {
		for i := range rules {
			for kind, asked := range map[string][]asking{
				rbacv1.GroupKind: {some(everywhere(classic, corev1.GroupName, "groups", "")), some(everywhere(constrained+modeUserInfo, authenticationv1.GroupName, "groups", ""))},
				rbacv1.UserKind:  {some(everywhere(classic, corev1.GroupName, "users", "")), some(everywhere(constrained+modeUserInfo, authenticationv1.GroupName, "users", ""))},
			} {
				if slices.ContainsFunc(asked, func(a asking) bool { return allowsSome(rules[i], a.AttributesRecord) }) {
					for _, name := range rules[i].ResourceNames {
						named = append(named, Subject{Kind: kind, Name: name})
					}
				}
			}
		}
	}
	slices.SortFunc(named, Subject.Compare)
	return slices.Compact(named)
}
