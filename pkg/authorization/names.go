package authorization

import (
	"sync"

	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// names knows which questions differ in the object's name only. From the second name on, the API server is asked about all
// names once, which an access review spells as no name (k8s.io/api/authorization/v1, ResourceAttributes.Name): if that is allowed, so
// is each of them. If it isn't, some may be, and each is asked about. A single object thus costs one request, a
// thousand that are allowed cost two, and a thousand that are not cost a thousand.
//
// It takes the API server at its word, which two things could break: a rule with the resourceNames [""], and an authorization
// webhook that allows all names but not each.
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

// allNames is the same question about every object.
type allNames struct{ authorizer.Attributes }

// GetName implements authorizer.Attributes.
func (allNames) GetName() string { return "" }
