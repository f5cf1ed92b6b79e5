package authorization

import (
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// waysTo are the ways to act as a subject that don't depend on what is requested (k8s.io/apiserver pkg/endpoints/filters/impersonation;
// https://kubernetes.io/docs/concepts/security/rbac-good-practices/#privilege-escalation-risks).
func waysTo(to Subject) []way {
	switch to.Kind {
	case rbacv1.ServiceAccountKind:
		return []way{
			impersonatingAccount(to),
			{PathToken, [][]asking{{inNamespace(to.Namespace, "create", "", "serviceaccounts/token", to.Name)}}},
			{PathPod, [][]asking{creatingPods(to.Namespace)}},
			certifying,
		}
	case rbacv1.GroupKind:
		ways := append(joining(to.Name), impersonatingGroup(to.Name))
		if to.Name == user.SystemPrivilegedGroup {
			return ways // no certificate is issued for it: k8s.io/kubernetes plugin/pkg/admission/certificates/subjectrestriction
		}
		return append(ways, certifying)
	}
	return []way{{PathImpersonation, [][]asking{{everywhere(classic, corev1.GroupName, "users", to.Name)}}}, certifying}
}

// certifying is to request a client certificate for any name and groups, and to approve it: kube-controller-manager then signs it
// (https://kubernetes.io/docs/reference/access-authn-authz/certificate-signing-requests/).
var certifying = func() way {
	in := func(verb, resource, name string) asking {
		return everywhere(verb, "certificates.k8s.io", resource, name)
	}
	return way{PathCertificate, [][]asking{
		{in("approve", "signers", "kubernetes.io/kube-apiserver-client"), in("approve", "signers", "kubernetes.io/*")},
		{some(in("update", "certificatesigningrequests/approval", "")), some(in("patch", "certificatesigningrequests/approval", ""))},
		{in("create", "certificatesigningrequests", "")},
	}}
}()

// joining are the ways to be a new service account of a namespace, all of which are a group.
func joining(group string) []way {
	namespace, _ := serviceAccounts(group)
	if namespace == "" {
		return nil
	}
	use := append(creatingPods(namespace), inNamespace(namespace, "create", "", "serviceaccounts/token", member))
	return []way{
		impersonatingAccount(newAccount(namespace)),
		{PathAccount, [][]asking{{inNamespace(namespace, "create", "", "serviceaccounts", "")}, use}},
	}
}

func newAccount(namespace string) Subject {
	return Subject{Kind: rbacv1.ServiceAccountKind, Namespace: namespace, Name: member}
}

// makers are the kinds of which an object makes pods that run as the service account which it names.
var makers = []struct{ group, resource string }{
	{"", "pods"}, {"apps", "deployments"}, {"apps", "statefulsets"}, {"apps", "daemonsets"}, {"apps", "replicasets"},
	{"batch", "jobs"}, {"batch", "cronjobs"}, {"", "replicationcontrollers"}, {"argoproj.io", "rollouts"},
}

func creatingPods(namespace string) []asking {
	var all []asking
	for _, m := range makers {
		all = append(all, inNamespace(namespace, "create", m.group, m.resource, ""))
	}
	return all
}

// The verbs of impersonation. The constrained ones are about what is in the group authentication.k8s.io.
const (
	classic       = "impersonate"
	constrained   = "impersonate:"
	constrainedOn = "impersonate-on:"

	modeAccount  = "serviceaccount"
	modeUserInfo = "user-info"
)

func impersonatingAccount(to Subject) way {
	return way{PathImpersonation, [][]asking{{inNamespace(to.Namespace, classic, corev1.GroupName, "serviceaccounts", to.Name)}}}
}

// impersonatingGroup takes a user, too: nobody impersonates a group alone. A service account will do.
func impersonatingGroup(group string) way {
	return way{PathImpersonation, [][]asking{{everywhere(classic, corev1.GroupName, "groups", group)}, someUser()}}
}

// constrainedWaysTo are the constrained forms. Nodes have one of their own, which leads to nodes only.
func constrainedWaysTo(to Subject, made []authorizer.AttributesRecord) []way {
	userInfo := func(resource, name string) asking {
		return everywhere(constrained+modeUserInfo, authenticationv1.GroupName, resource, name)
	}
	switch to.Kind {
	case rbacv1.ServiceAccountKind:
		own := inNamespace(to.Namespace, constrained+modeAccount, authenticationv1.GroupName, "serviceaccounts", to.Name)
		return []way{{PathImpersonation, [][]asking{{own}, requesting(modeAccount, made)}}}
	case rbacv1.GroupKind:
		var ways []way
		if to.Name != user.SystemPrivilegedGroup { // which this form refuses
			ways = append(ways, way{PathImpersonation, [][]asking{{userInfo("groups", to.Name)}, {some(userInfo("users", ""))}, requesting(modeUserInfo, made)}})
		}
		if namespace, _ := serviceAccounts(to.Name); namespace != "" {
			ways = append(ways, constrainedWaysTo(newAccount(namespace), made)...)
		}
		return ways
	}
	if strings.HasPrefix(to.Name, "system:node:") {
		return nil
	}
	return []way{{PathImpersonation, [][]asking{{userInfo("users", to.Name)}, requesting(modeUserInfo, made)}}}
}

// requesting is the right to make one of some requests by a constrained form.
func requesting(mode string, made []authorizer.AttributesRecord) []asking {
	var on []asking
	for _, m := range made {
		m.Verb = constrainedOn + mode + ":" + m.Verb
		on = append(on, asking{AttributesRecord: m})
	}
	return on
}

func some(a asking) asking {
	a.some = true
	return a
}

func inNamespace(namespace, verb, group, resource, name string) asking {
	resource, subresource, _ := strings.Cut(resource, "/")
	return asking{AttributesRecord: authorizer.AttributesRecord{
		ResourceRequest: true, Verb: verb, APIGroup: group, APIVersion: "v1", Resource: resource, Subresource: subresource, Namespace: namespace, Name: name,
	}}
}

func everywhere(verb, group, resource, name string) asking {
	return inNamespace("", verb, group, resource, name)
}

// String says what it allows: create serviceaccounts/token deployer in namespace ci.
func (a asking) String() string {
	text := a.Verb + " " + a.Resource
	if a.APIGroup != "" {
		text += "." + a.APIGroup
	}
	if a.Subresource != "" {
		text += "/" + a.Subresource
	}
	if a.Name != "" && a.Name != member {
		text += " " + a.Name
	}
	if a.Namespace != "" {
		text += " in namespace " + a.Namespace
	}
	return text
}
