package authorization

import (
	"maps"
	"slices"

	"k8s.io/apiserver/pkg/authentication/user"
)

// sameUser says whether two users are the same to every authorizer: a requester given more groups than one has is another.
func sameUser(a, b user.Info) bool {
	return a.GetName() == b.GetName() && a.GetUID() == b.GetUID() &&
		slices.Equal(sorted(a.GetGroups()), sorted(b.GetGroups())) &&
		maps.EqualFunc(a.GetExtra(), b.GetExtra(), slices.Equal)
}

func sorted(list []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(list)))
}
