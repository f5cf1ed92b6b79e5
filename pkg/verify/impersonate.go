package verify

import (
	"slices"

	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/client-go/rest"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// impersonation is what to ask the API server for so that it takes a request for the requester's. The groups that it
// adds itself are left out: each group named needs a right of its own
// (k8s.io/apiserver pkg/endpoints/filters/impersonation/mode.go).
func impersonation(r request.Requester) rest.ImpersonationConfig {
	return rest.ImpersonationConfig{UserName: r.Username, UID: r.UID, Groups: groupsToName(r), Extra: r.Extra}
}

func groupsToName(r request.Requester) []string {
	added := user.AllAuthenticated
	if r.Username == user.Anonymous {
		added = user.AllUnauthenticated
	}
	groups := slices.DeleteFunc(slices.Clone(r.Groups), func(group string) bool { return group == added })
	namespace, _, err := serviceaccount.SplitUsername(r.Username)
	if err != nil {
		return groups
	}
	// A service account's own are added where no group at all is named.
	own := serviceaccount.MakeGroupNames(namespace)
	if !slices.ContainsFunc(groups, func(group string) bool { return !slices.Contains(own, group) }) {
		return nil
	}
	return groups
}
