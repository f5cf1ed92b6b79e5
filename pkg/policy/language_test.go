package policy

import (
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// TestLanguageOfTheServer: an expression that the server's version does not know fails there, and one that only a later version than
// the newest known may know is not judged.
func TestLanguageOfTheServer(t *testing.T) {
	const newIn134 = "[[1], []].flatten().size() == 2"
	for name, test := range map[string]struct {
		server, failurePolicy, expression string
		want                              Decision
		uncertain                         bool
	}{
		"known":                   {"v1.34.2", "Fail", newIn134, Denied, false},
		"not yet known":           {"v1.33.9", "Fail", newIn134, Error, false},
		"not yet known, ignored":  {"v1.33.9", "Ignore", newIn134, ErrorIgnored, false},
		"a vendor's version":      {"v1.33.4-gke.10", "Fail", newIn134, Error, false},
		"newest":                  {"", "Fail", newIn134, Denied, false},
		"not a version":           {"main", "Fail", newIn134, Denied, false},
		"newer, compiles":         {"v1.99.0", "Fail", newIn134, Denied, false},
		"newer, does not compile": {"v1.99.0", "Fail", "[1].shuffle() == []", NotSimulated, true},
		"newer, ignored":          {"v1.99.0", "Ignore", "[1].shuffle() == []", NotSimulated, true},
	} {
		t.Run(name, func(t *testing.T) {
			policies := &inventory.Policies{
				Validating:         []*vap{parse[vap](t, policyText("p", test.failurePolicy, "true", test.expression))},
				ValidatingBindings: []*vapb{parse[vapb](t, bindingText("p", "b", "Deny"))},
			}
			set, err := Compile(t.Context(), teamA(), policies, Options{Server: test.server})
			if err != nil {
				t.Fatal(err)
			}
			verdict := set.Validate(t.Context(), request("dev", nil, deployment()))
			if got := verdict.Steps[0]; got.Decision != test.want || verdict.Uncertain != test.uncertain {
				t.Errorf("got %+v, uncertain %v", got, verdict.Uncertain)
			}
		})
	}
}
