package audit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

func TestExemptions(t *testing.T) {
	const policy = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: g}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: ["*"], operations: [UPDATE], resources: [deployments]}]}
  matchConditions: [{name: others, expression: %q}]
  validations: [{expression: "false"}]
`
	user := func(expression string) string { return "!request.userInfo.username." + expression }
	for name, test := range map[string]struct {
		condition string
		who       request.Requester
		want      string
	}{
		"by name":                     {"request.userInfo.username != 'user1'", request.NewRequester("user1", nil, "", nil), "Equals user1"},
		"by a whole pattern":          {user("matches('^user1$')"), request.NewRequester("user1", nil, "", nil), "Regex ^user1$"},
		"by an open one, in whole":    {user("matches('^user1')"), request.NewRequester("user1", nil, "", nil), "Regex ^user1"},
		"by an open one, in part":     {user("matches('^user1')"), request.NewRequester("user1x", nil, "", nil), "Regex ^user1 in part"},
		"by the longest match":        {user("matches('user1|user1x')"), request.NewRequester("user1x", nil, "", nil), "Regex user1|user1x"},
		"by a beginning, as is meant": {user("startsWith('user')"), request.NewRequester("user1", nil, "", nil), "Prefix user"},
		"the most exact one":          {user("matches('^user1')") + " && request.userInfo.username != 'user1x'", request.NewRequester("user1x", nil, "", nil), "Equals user1x"},
		"by a group":                  {"!('ops' in request.userInfo.groups)", request.NewRequester("kim", []string{"ops"}, "", nil), "Equals ops"},
		"somebody else":               {user("matches('^user1$')"), request.NewRequester("user1x", nil, "", nil), ""},
		"if something else is true":   {"!(request.userInfo.username == 'user1' && object.metadata.name == 'web')", request.NewRequester("user1", nil, "", nil), ""},
		"everybody but one":           {"request.userInfo.username == 'user1'", request.NewRequester("user2", nil, "", nil), ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := NewExemptions(load(t, fmt.Sprintf(policy, test.condition)).Policies())
			stops := []simulate.By{{Kind: "ValidatingAdmissionPolicy", Policy: "g"}, {Kind: "ValidatingAdmissionPolicy", Policy: "g", Binding: "another"}}
			for range 2 { // the second time it is known
				var words []string
				for _, x := range e.Of(test.who, stops) {
					word := string(x.Match) + " " + x.Text
					if x.Part {
						word += " in part"
					}
					if x.Policy != "g" || x.Field != "spec.matchConditions[0].expression" {
						t.Errorf("%+v", x)
					}
					words = append(words, word)
				}
				if got := strings.Join(words, "; "); got != test.want {
					t.Errorf("got %q, want %q", got, test.want)
				}
			}
			if got := e.Of(test.who, []simulate.By{{Kind: "MutatingAdmissionPolicy", Policy: "g"}}); len(got) > 0 {
				t.Errorf("of another policy: %v", got)
			}
		})
	}
}
