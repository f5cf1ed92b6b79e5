package request

import (
	"slices"
	"strings"

	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
)

// Requester is the user that a request is simulated for, with every group the API server would
// give it.
type Requester struct {
	Username string              `json:"username"`
	Groups   []string            `json:"groups"`
	UID      string              `json:"uid"`
	Extra    map[string][]string `json:"extra"`
}

// NewRequester returns the requester of a user name with the groups that the API server adds:
// system:authenticated, or system:unauthenticated for system:anonymous, and a service account's
// own groups where the name is a service account's
// (https://kubernetes.io/docs/reference/access-authn-authz/authentication/).
func NewRequester(username string, groups []string, uid string, extra map[string][]string) Requester {
	all := slices.Clone(groups)
	add := func(names ...string) {
		for _, name := range names {
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	if namespace, _, err := serviceaccount.SplitUsername(username); err == nil {
		add(serviceaccount.MakeGroupNames(namespace)...)
	}
	if username == user.Anonymous {
		add(user.AllUnauthenticated)
	} else {
		add(user.AllAuthenticated)
	}
	if extra == nil {
		extra = map[string][]string{}
	}
	return Requester{Username: username, Groups: all, UID: uid, Extra: extra}
}

// ServiceAccount returns the requester of a service account.
func ServiceAccount(namespace, name string, groups []string, uid string, extra map[string][]string) Requester {
	return NewRequester(serviceaccount.MakeUsername(namespace, name), groups, uid, extra)
}

// User returns the requester as the API server's own packages want it.
func (r Requester) User() user.Info {
	return &user.DefaultInfo{Name: r.Username, Groups: r.Groups, UID: r.UID, Extra: r.Extra}
}

// IsServiceAccount says whether the requester is a service account.
func (r Requester) IsServiceAccount() bool {
	return strings.HasPrefix(r.Username, serviceaccount.ServiceAccountUsernamePrefix)
}
