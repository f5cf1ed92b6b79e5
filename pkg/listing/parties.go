package listing

import (
	"strings"

	"k8s.io/apiserver/pkg/authentication/serviceaccount"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

func partiesOf(found policy.Parties) Parties {
	parties := Parties{Expressions: found.Expressions}
	for _, p := range found.Named {
		parties.Named = append(parties.Named, Party{Text: inWords(p.Tests), Party: p})
	}
	return parties
}

// inWords says who passes all of the tests. What is asked for comes before what is ruled out.
func inWords(tests []policy.Test) string {
	var asked, ruledOut []string
	for _, t := range tests {
		if t.Negated {
			ruledOut = append(ruledOut, who(t))
		} else {
			asked = append(asked, who(t))
		}
	}
	text := strings.Join(asked, " that are also ")
	switch {
	case len(ruledOut) == 0:
		return text
	case text == "":
		return "everybody but " + strings.Join(ruledOut, " and ")
	}
	return text + ", but not " + strings.Join(ruledOut, " or ")
}

// who is whom one test asks for.
func who(t policy.Test) string {
	switch t.Match {
	case policy.MatchEquals:
		return named(t)
	case policy.MatchPresent:
		if t.Kind == policy.PartyGroup {
			return "requesters with a group"
		}
		return "requesters with a name"
	case policy.MatchPrefix:
		if namespace, whole := ofNamespace(t.Text); whole && t.Kind == policy.PartyServiceAccount {
			return "service accounts in namespace " + namespace
		}
	}
	return several[t.Kind] + " " + verbs[t.Match] + " " + t.Text
}

// ofNamespace is the namespace that a prefix of a service account's user name holds to its end.
func ofNamespace(prefix string) (namespace string, whole bool) {
	rest, whole := strings.CutSuffix(strings.TrimPrefix(prefix, serviceaccount.ServiceAccountUsernamePrefix), ":")
	return rest, whole && rest != "" && !strings.Contains(rest, ":")
}

// named is one user, service account or group. The groups of all service accounts, and of those of a namespace, are known.
func named(t policy.Test) string {
	switch t.Kind {
	case policy.PartyServiceAccount:
		if namespace, name, err := serviceaccount.SplitUsername(t.Text); err == nil {
			return "service account " + namespace + ":" + name
		}
		return "user " + t.Text
	case policy.PartyGroup:
		switch namespace, inNamespace := strings.CutPrefix(t.Text, serviceaccount.ServiceAccountGroupPrefix); {
		case inNamespace:
			return "service accounts in namespace " + namespace
		case t.Text == serviceaccount.AllServiceAccountsGroup:
			return "all service accounts"
		}
		return "group " + t.Text
	}
	return "user " + t.Text
}

var several = map[policy.PartyKind]string{
	policy.PartyUser: "users", policy.PartyGroup: "groups", policy.PartyServiceAccount: "service accounts",
}

var verbs = map[policy.Match]string{
	policy.MatchRegex: "matching", policy.MatchPrefix: "beginning with", policy.MatchSuffix: "ending in", policy.MatchContains: "containing",
}
