package audit

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// Exemptions know whom the expressions of policies let through, as far as these compare the requester with constants. They are safe for
// concurrent use.
type Exemptions struct {
	parties map[policyName][]policy.Party
	found   sync.Map // what Of found before: it is asked for every object, and there are far fewer requesters
}

// Exemption is the place in a policy that lets somebody through.
type Exemption struct {
	Policy string `json:"policy"`
	Field  string `json:"field"`
	// Match is how the name, or a group's, is compared with Text.
	Match policy.Match `json:"match"`
	Text  string       `json:"text"`
	// Part says that the regular expression matches a part of the name only: it would let through other names that have this part.
	Part bool `json:"part"`
}

// NewExemptions reads the policies.
func NewExemptions(policies *inventory.Policies) *Exemptions {
	e := &Exemptions{parties: map[policyName][]policy.Party{}}
	for _, p := range policiesIn(policies) {
		for _, party := range partiesOf(p) {
			if len(party.When) == 0 { // what else has to be true may be what lets the request through
				e.parties[p.policyName] = append(e.parties[p.policyName], party)
			}
		}
	}
	return e
}

// Of are the places by which the policies that stop others let a requester through: the most exact one of each policy. What a policy asks
// in another form is not among them.
func (e *Exemptions) Of(who request.Requester, stops []simulate.By) []Exemption {
	key := fmt.Sprintf("%q %q %q", who.Username, who.Groups, stops)
	if found, known := e.found.Load(key); known {
		return found.([]Exemption)
	}
	found := e.find(who, stops)
	e.found.Store(key, found)
	return found
}

func (e *Exemptions) find(who request.Requester, stops []simulate.By) []Exemption {
	var found []Exemption
	for _, by := range stops {
		var best *Exemption
		for _, party := range e.parties[policyName{by.Kind, by.Policy}] {
			if x, is := exemption(party, who); is && (best == nil || x.rank() < best.rank()) {
				best = &x
			}
		}
		if best == nil {
			continue
		}
		if best.Policy = by.Policy; !slices.Contains(found, *best) {
			found = append(found, *best)
		}
	}
	return found
}

// exemption is that of a requester who is of a party: the most exact of its tests.
func exemption(party policy.Party, who request.Requester) (Exemption, bool) {
	var tests []Exemption
	for _, test := range party.Tests {
		if !meets(test, who) {
			return Exemption{}, false
		}
		if !test.Negated && test.Match != policy.MatchPresent {
			tests = append(tests, Exemption{Field: party.Field, Match: test.Match, Text: test.Text, Part: inPart(test, who)})
		}
	}
	if len(tests) == 0 {
		return Exemption{}, false
	}
	return slices.MinFunc(tests, func(a, b Exemption) int { return cmp.Compare(a.rank(), b.rank()) }), true
}

// rank puts first what tells a name best from others.
func (x Exemption) rank() int {
	switch {
	case x.Match == policy.MatchEquals:
		return 0
	case x.Part:
		return 2
	}
	return 1
}

// inPart says whether a regular expression matches no name of the requester's as a whole. The other ways to compare say themselves
// that they ask for a part.
func inPart(t policy.Test, who request.Requester) bool {
	re := regexpOf(t)
	if t.Match != policy.MatchRegex || re == nil {
		return false
	}
	re.Longest()
	names := []string{who.Username}
	if t.Kind == policy.PartyGroup {
		names = who.Groups
	}
	return !slices.ContainsFunc(names, func(name string) bool {
		at := re.FindStringIndex(name)
		return len(at) == 2 && at[0] == 0 && at[1] == len(name)
	})
}
