package audit

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// pattern is one comparison by which a policy lets somebody through: a name, a part of one, or a regular expression.
type pattern struct {
	policy guardPolicy
	party  policy.Party
	test   policy.Test
}

// patterns are those of the enforced guards, each once. What a policy asks in another form than a comparison with a constant, such as with a
// parameter, is not among them.
func (v *view) patterns(ctx context.Context) ([]pattern, error) {
	guards, err := v.enforcedGuards(ctx)
	if err != nil {
		return nil, err
	}
	var found []pattern
	for _, p := range guards {
		seen := map[string]bool{}
		for _, party := range partiesOf(p) {
			for _, test := range party.Tests {
				if key := fmt.Sprint(party.Field, test); !test.Negated && test.Match != policy.MatchPresent && !seen[key] {
					seen[key] = true
					found = append(found, pattern{p, party, test})
				}
			}
		}
	}
	return found, nil
}

func partiesOf(p guardPolicy) []policy.Party {
	switch object := p.object.(type) {
	case *admissionregistrationv1.ValidatingAdmissionPolicy:
		return policy.PartiesOf(object).Named
	case *admissionregistrationv1.MutatingAdmissionPolicy:
		return policy.MutatingParties(object).Named
	}
	return nil
}

// subject is the expression that the pattern stands in.
func (p pattern) subject() Subject {
	return Subject{Kind: p.policy.kind, Name: p.policy.name, Field: p.party.Field}
}

// distinct tells it from the policy's other patterns, wherever they stand: the same text may be compared with names and with groups, and in several ways.
func (p pattern) distinct() string {
	return distinct(fmt.Sprint(p.test.Kind), fmt.Sprint(p.test.Match), p.test.Text)
}

// String names the pattern in a sentence.
func (p pattern) String() string {
	switch p.test.Match {
	case policy.MatchPrefix:
		return fmt.Sprintf("startsWith(%q)", p.test.Text)
	case policy.MatchSuffix:
		return fmt.Sprintf("endsWith(%q)", p.test.Text)
	case policy.MatchContains:
		return fmt.Sprintf("contains(%q)", p.test.Text)
	case policy.MatchEquals:
		return fmt.Sprintf("The name %q", p.test.Text)
	}
	return fmt.Sprintf("The pattern %q", p.test.Text)
}

// regexpOf is the regular expression that a comparison stands for, nil where the text is none.
func regexpOf(t policy.Test) *regexp.Regexp {
	text := regexp.QuoteMeta(t.Text)
	switch t.Match {
	case policy.MatchEquals:
		text = "^" + text + "$"
	case policy.MatchPrefix:
		text = "^" + text
	case policy.MatchSuffix:
		text += "$"
	case policy.MatchContains:
	case policy.MatchPresent:
		text = ""
	default:
		text = t.Text
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil
	}
	return re
}

// meets says whether a requester passes a test.
func meets(t policy.Test, who request.Requester) bool {
	re := regexpOf(t)
	if re == nil {
		return false
	}
	names := []string{who.Username}
	if t.Kind == policy.PartyGroup {
		names = who.Groups
	}
	return slices.ContainsFunc(names, re.MatchString) != t.Negated
}

// requester is somebody who is of the party by a name that the pattern matches: with the groups, or under the name, that the party's other tests ask for.
func (p pattern) requester(name string) (request.Requester, bool) {
	username, groups := OrdinaryUser().Username, []string(nil)
	for _, test := range p.party.Tests {
		as := name
		switch {
		case test == p.test:
		case test.Negated || test.Match == policy.MatchPresent:
			continue
		default:
			spelled := spellings(test)
			if len(spelled) == 0 {
				return request.Requester{}, false
			}
			as = spelled[0]
		}
		if test.Kind == policy.PartyGroup {
			groups = append(groups, as)
		} else {
			username = as
		}
	}
	who := request.NewRequester(username, groups, "", nil)
	for _, test := range p.party.Tests {
		if !meets(test, who) {
			return request.Requester{}, false
		}
	}
	return who, true
}

// called names somebody who passed by the pattern: user user1x, a member of group devs-x.
func (p pattern) called(name string) string {
	if p.test.Kind == policy.PartyGroup {
		return fmt.Sprintf("a member of group %q", name)
	}
	if strings.HasPrefix(name, serviceAccountPrefix) {
		return fmt.Sprintf("service account %q", name)
	}
	return fmt.Sprintf("user %q", name)
}
