package audit

import (
	"maps"
	"slices"

	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
)

// authorised is somebody who may make changes by roles and bindings, and whom the guard lets make some that it prevents for an
// ordinary user.
type authorised struct {
	subject authorization.Subject
	// passes are the changes, told apart by the policies that prevent them for others, each with an example.
	passes map[string]example
	// made are the requests of these examples.
	made []authorizer.AttributesRecord
	// direct says that they get through by themselves; else joint are the paths of those who do as them together with somebody else, one of each.
	direct bool
	joint  []authorization.Path
}

// take keeps the first path of each who has one.
func (a *authorised) take(path authorization.Path) {
	if !slices.ContainsFunc(a.joint, func(p authorization.Path) bool { return p.From == path.From }) {
		a.joint = append(a.joint, path)
	}
}

// shown is the first of the examples.
func (a *authorised) shown() example {
	var least *example
	for _, key := range slices.Sorted(maps.Keys(a.passes)) {
		e := a.passes[key]
		least = lesser(least, &e)
	}
	return *least
}

// gainsOver says whether somebody could do more as this one than as themselves.
func (a *authorised) gainsOver(other *authorised) bool {
	if other == nil {
		return true
	}
	for key := range a.passes {
		if _, both := other.passes[key]; !both {
			return true
		}
	}
	return false
}
