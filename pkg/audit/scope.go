package audit

import "github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"

// Scope is the part of the state that was audited; it is empty for all of it.
type Scope struct {
	Namespace string `json:"namespace,omitempty"`
	Selector  string `json:"selector,omitempty"`
}

// ScopeOf is the scope of an audit with a query.
func ScopeOf(query inventory.Query) Scope {
	scope := Scope{Namespace: query.Namespace}
	if query.Selector != nil {
		scope.Selector = query.Selector.String()
	}
	return scope
}
