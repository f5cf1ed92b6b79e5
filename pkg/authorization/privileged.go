package authorization

import (
	"slices"

	"k8s.io/apiserver/pkg/authentication/user"
)

// isPrivileged says whether the user may do everything, whatever the roles say: every API server's first authorizer
// is that of this group (k8s.io/kubernetes pkg/kubeapiserver/authorizer/reload.go).
func isPrivileged(u user.Info) bool {
	return slices.Contains(u.GetGroups(), user.SystemPrivilegedGroup)
}
