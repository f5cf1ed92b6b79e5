package authorization

import (
	"fmt"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// ErrNoRBAC says that the files hold no roles and no bindings, so that they say nothing of who may do what.
var ErrNoRBAC = inventory.ErrNoRBAC

// UnknownError says that nobody could tell whether a request is authorized. It is neither a yes nor a no.
type UnknownError struct {
	// What was asked, such as "whether dev may patch deployments.apps in namespace team-a".
	What string
	// Err says why there is no answer.
	Err error
	// Needed are the rights of which one would give the answer to whoever reads the cluster; empty where no right is missing.
	Needed []rbacv1.PolicyRule
}

func (e *UnknownError) Error() string { return e.What + " is not known: " + e.Why() }

// Why says why there is no answer, and which rights would give it.
func (e *UnknownError) Why() string {
	text := e.Err.Error()
	for i, rule := range e.Needed {
		lead := "; it takes a ClusterRole with the rule"
		if i > 0 {
			lead = ", or one with"
		}
		text += fmt.Sprintf("%s {apiGroups: [%s], resources: [%s], verbs: [%s]}", lead,
			strings.Join(rule.APIGroups, ", "), strings.Join(rule.Resources, ", "), strings.Join(rule.Verbs, ", "))
	}
	return text
}

// Unwrap returns why there is no answer.
func (e *UnknownError) Unwrap() error { return e.Err }

// Unanswered tells it from the errors of the API server's own authorizers, see policy.Unanswered.
func (e *UnknownError) Unanswered() {}

// needed are the rights to ask the API server, and to read what it decides by.
var needed = []rbacv1.PolicyRule{
	{APIGroups: []string{"authorization.k8s.io"}, Resources: []string{"subjectaccessreviews"}, Verbs: []string{"create"}},
	{APIGroups: []string{rbacv1.GroupName}, Resources: []string{"roles", "clusterroles", "rolebindings", "clusterrolebindings"}, Verbs: []string{"list"}},
}
