package authorization

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// Administrators are those who may do everything in the whole cluster, and the cluster's own components.
type Administrators struct{ grants []Grant }

// Administrators are found by what nobody asks for: who may do that may do everything. Where that is everybody, nobody is one.
func (r *RBAC) Administrators() Administrators {
	grants := r.Grants(authorizer.AttributesRecord{ResourceRequest: true, Verb: anyName, APIGroup: anyName, Resource: anyName, Name: anyName})
	return Administrators{slices.DeleteFunc(grants, func(g Grant) bool {
		return g.Subject.Kind == rbacv1.GroupKind && slices.Contains(everybody, g.Subject.Name)
	})}
}

var everybody = []string{user.AllAuthenticated, user.AllUnauthenticated, serviceaccount.AllServiceAccountsGroup}

// components are the users as whom a cluster's own parts make requests, beside the service accounts in kube-system
// (https://kubernetes.io/docs/reference/access-authn-authz/rbac/#core-component-roles).
var components = []string{user.KubeControllerManager, user.KubeScheduler, user.KubeProxy, user.APIServerUser}

// Include says whether a subject is one of them.
func (a Administrators) Include(s Subject) bool {
	switch s.Kind {
	case rbacv1.GroupKind:
		if s.Name == user.SystemPrivilegedGroup || s.Name == user.NodesGroup {
			return true
		}
	case rbacv1.ServiceAccountKind:
		if s.Namespace == metav1.NamespaceSystem {
			return true
		}
	default:
		if slices.Contains(components, s.Name) || strings.HasPrefix(s.Name, "system:node:") {
			return true
		}
	}
	return a.MayAll(s)
}

// MayAll says whether a subject may do everything, which not all of the cluster's own components may.
func (a Administrators) MayAll(s Subject) bool {
	u := s.Requester().User()
	return isPrivileged(u) || slices.ContainsFunc(a.grants, func(g Grant) bool { return g.To(u) })
}
