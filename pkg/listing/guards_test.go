package listing

import (
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/chart"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

func texts(parties Parties) []string {
	var all []string
	for _, p := range parties.Named {
		all = append(all, p.Text)
	}
	return all
}

// TestPartiesOfExamples: every party of the examples' guards is put into words.
func TestPartiesOfExamples(t *testing.T) {
	for path, want := range map[string][]string{
		"validating": {"service account downscaler:downscaler", "service accounts matching ^system:serviceaccount:ci:deployer$", "users matching ^user1", "groups matching ^platform-admins$"},
		"hardened":   {"service account downscaler:downscaler", "service accounts matching ^(?:system:serviceaccount:ci:deployer)$", "users matching ^(?:user1)$", "groups matching ^(?:platform-admins)$"},
	} {
		inv, err := inventory.FromFiles(t.Context(), inventory.FileSource{Path: "../../examples/" + path})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list(t, inv, Options{}).Policies {
			got := texts(p.Parties)
			if len(p.Parties.Expressions) > 0 || len(got) < 4 || cmp.Diff(want, got[:4]) != "" {
				t.Errorf("%s: %q, expressions %v", p.Name, got, p.Parties.Expressions)
			}
		}
	}
}

// TestPartiesOfValues: the guards that Helm values stand for name everybody whom the values authorise, plain and hardened.
func TestPartiesOfValues(t *testing.T) {
	const file = "../chart/testdata/values/all-lists.yaml"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	values, err := chart.ReadValues(file, text)
	if err != nil {
		t.Fatal(err)
	}
	release := chart.Release{Name: "go-kube-downscaler", Namespace: "kube-downscaler"}
	var found []Parties
	for _, p := range values.Plain(release).Validating {
		found = append(found, partiesOf(policy.PartiesOf(p)))
	}
	for _, m := range values.Hardened(release) {
		if p, isPolicy := m.Object.(*admissionregistrationv1.ValidatingAdmissionPolicy); isPolicy {
			found = append(found, partiesOf(policy.PartiesOf(p)))
		}
	}
	if len(found) < 4 {
		t.Fatalf("%d policies", len(found))
	}
	for _, parties := range found {
		got := texts(parties)
		if len(parties.Expressions) > 0 || !slices.Contains(got, "service account kube-downscaler:go-kube-downscaler") {
			t.Errorf("%q, expressions %v", got, parties.Expressions)
		}
		for kind, want := range map[policy.PartyKind]int{policy.PartyUser: 2, policy.PartyGroup: 2} {
			n := 0
			for _, p := range parties.Named {
				if len(p.Tests) == 1 && p.Tests[0].Kind == kind && p.Tests[0].Match == policy.MatchRegex && len(p.When) == 0 {
					n++
				}
			}
			if n != want {
				t.Errorf("%d patterns of kind %s in %q", n, kind, got)
			}
		}
	}
}
