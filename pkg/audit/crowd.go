package audit

import (
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// crowd is a set of requesters that no guard is meant to let through, with some who stand for all of it. Nobody names these.
type crowd struct {
	called string
	some   []request.Requester
}

// crowds are everyone, every service account, and those by which pods run that name no account.
var crowds = []crowd{
	{"everyone who is logged in", []request.Requester{OrdinaryUser()}},
	{"every service account", []request.Requester{
		request.ServiceAccount("q7-none", "z3-nobody", nil, "", nil), request.ServiceAccount("k4-nowhere", "w8-noone", nil, "", nil),
	}},
	{`the account "default" of every namespace`, []request.Requester{
		request.ServiceAccount("q7-none", "default", nil, "", nil), request.ServiceAccount("k4-nowhere", "default", nil, "", nil),
	}},
}

// crowd is the largest one that is of the pattern's party, if one is.
func (p pattern) crowd() (crowd, bool) {
	for _, c := range crowds {
		all := true
		for _, who := range c.some {
			for _, test := range p.party.Tests {
				all = all && meets(test, who)
			}
		}
		if all {
			return c, true
		}
	}
	return crowd{}, false
}
