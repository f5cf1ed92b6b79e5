package authorization

import (
	"sync"

	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// names knows which questions differ in the object's name only. From the second name on, the API server is asked about a name that
// nobody has: whoever may do it there is not held to names, and may do it to each of them. If that isn't allowed, some names
// may be, and each is asked about. A single object thus costs one request, a thousand that are allowed cost two, and a thousand
// that are not cost a thousand.
//
// One thing could break it: another authorizer than RBAC that allows a name which it doesn't know and refuses some that it does.
type names struct {
	mu    sync.Mutex
	first map[string]string // the first name, by the question without it
}

// several says whether the same was asked about another object before.
func (n *names) several(a authorizer.Attributes) bool {
	if a.GetName() == "" || !a.IsResourceRequest() {
		return false
	}
	key, err := key(question(allNames{a}))
	if err != nil {
		return false
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.first == nil {
		n.first = map[string]string{}
	}
	first, found := n.first[key]
	if !found {
		n.first[key] = a.GetName()
	}
	return found && first != a.GetName()
}

// allNames is the same question about every object; one that names no object stays as it is.
type allNames struct{ authorizer.Attributes }

// anyName is in no role's resourceNames, unlike "", which an access review may have for every name: to RBAC it is a name like any
// other, and a rule with the resourceNames [""] allows it alone (k8s.io/kubernetes pkg/apis/rbac/v1/evaluation_helpers.go,
// ResourceNameMatches).
const anyName = "kubectl-downscaler-compliance:any-name"

// GetName implements authorizer.Attributes.
func (a allNames) GetName() string {
	if a.Attributes.GetName() == "" {
		return ""
	}
	return anyName
}
