package audit

import (
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// crowd is a set of requesters that no guard is meant to let through, with some who stand for all of it. Nobody names these.
type crowd struct {
	called string
	some   []request.Requester
}

// shape is how a name may be written. A pattern that takes one shape only lets everyone through who is called so.
type shape struct {
	of string
	// names have nothing in common but their shape: neither a part nor a length.
	names [2]string
}

var shapes = []shape{
	{"letters, digits and dashes", [2]string{"q7-none", "k4-nowhere"}},
	{"letters and dashes", [2]string{"qv-none", "kw-nowhere"}},
	{"letters and digits", [2]string{"qv7none", "kw4nowhere"}},
	{"letters", [2]string{"qvbzk", "wnooply"}},
	{"digits", [2]string{"70319", "4826514"}},
	{"many letters", [2]string{"qvbzkandsoonforaverylongnamethatnobodyhas", "wnooplyandthisgoesonforevenlongerwithoutanyseparatorinit"}},
}

// crowds are every service account, those by which pods run that name no account, and everybody of a group or with a name of some shape: each as two requesters
// of one shape.
var crowds = []struct {
	called, whose string
	one           func(name, other string) request.Requester
}{
	{"every service account", "whose namespace and name are of", func(name, other string) request.Requester {
		return request.ServiceAccount(name, other, nil, "", nil)
	}},
	{`the account "default" of every namespace`, "whose name is of", func(name, _ string) request.Requester {
		return request.ServiceAccount(name, "default", nil, "", nil)
	}},
	{"every user", "whose name is of", func(name, _ string) request.Requester {
		return request.NewRequester(name, nil, "", nil)
	}},
	{"every member of any group", "whose name is of", func(name, _ string) request.Requester {
		return request.NewRequester(OrdinaryUser().Username, []string{name}, "", nil)
	}},
}

// crowd is the largest one that is of the pattern's party, if one is: everyone who is logged in, or one of the crowds, as far as the pattern
// goes by the shape of their names.
func (p pattern) crowd() (crowd, bool) {
	if p.isOf(OrdinaryUser()) {
		return crowd{"everyone who is logged in", []request.Requester{OrdinaryUser()}}, true
	}
	for _, c := range crowds {
		var met *shape
		all := true
		for _, s := range shapes {
			if !p.isOf(c.one(s.names[0], s.names[1])) || !p.isOf(c.one(s.names[1], s.names[0])) {
				all = false
			} else if met == nil {
				met = &s
			}
		}
		if met == nil {
			continue
		}
		called := c.called
		if !all {
			called += " " + c.whose + " " + met.of
		}
		return crowd{called, []request.Requester{c.one(met.names[0], met.names[1]), c.one(met.names[1], met.names[0])}}, true
	}
	return crowd{}, false
}

// isOf says whether somebody is of the pattern's party.
func (p pattern) isOf(who request.Requester) bool {
	for _, test := range p.party.Tests {
		if !meets(test, who) {
			return false
		}
	}
	return true
}

// realDefaults are the accounts default of the namespaces that there are, as far as they are of the pattern's party.
func (v *view) realDefaults(p pattern) []request.Requester {
	var found []request.Requester
	for _, namespace := range v.inventory.Namespaces() {
		if who := request.ServiceAccount(namespace.Name, "default", nil, "", nil); p.isOf(who) {
			found = append(found, who)
		}
	}
	return found
}
