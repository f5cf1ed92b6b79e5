package e2e

import (
	"fmt"
	"testing"
)

// TestRenderedPolicies: the API server takes what policies render prints, and decides by it as the simulation of the values says. Through the status a
// tenant gets round the plain guard, and not round the hardened one; nor does one whose name merely contains an authorised one.
func TestRenderedPolicies(t *testing.T) {
	apply(t, "testdata/cluster.yaml")
	const values = "annotationsCompliance:\n  mutateUnauthorizedAnnotationsAddition: %v\n  authorizedUsersRegex: [\"user1\"]\n" +
		"  onWorkloads: {enabled: true, preventRemoval: true}\n  onNamespace: {enabled: true, preventRemoval: true}\n"
	for _, test := range []struct {
		mutate   bool
		hardened bool
	}{{false, false}, {false, true}, {true, false}, {true, true}} {
		t.Run(fmt.Sprintf("mutate %v, hardened %v", test.mutate, test.hardened), func(t *testing.T) {
			args := []string{"policies", "render", "--values", "-"}
			if test.hardened {
				args = append(args, "--hardened")
			}
			out := asAdmin(t, fmt.Sprintf(values, test.mutate), args...)
			if out.Code != 0 || out.Stdout == "" {
				t.Fatalf("exit %d: %s", out.Code, out.Stderr)
			}
			if err := server.Apply(t.Context(), []byte(out.Stdout)); err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := server.Delete(t.Context(), []byte(out.Stdout)); err != nil {
					t.Error(err)
				}
			}()
			if err := server.WaitForPolicies(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, change := range []struct {
				user  string
				args  []string
				leaks bool // with the plain guard
			}{
				{"dev", []string{"deploy/annotated", "-n", "team-a", "--set", "downscale-period=never"}, false},
				{"dev", []string{"deploy/annotated", "-n", "team-a", "--set", "exclude=false"}, false},
				{"dev", []string{"deploy/annotated", "-n", "team-a", "--remove", "exclude"}, false},
				{"dev", []string{"ns/annotated", "--remove", "exclude"}, false},
				{"dev", []string{"deploy/annotated", "-n", "team-a", "--set", "downscale-period=never", "--subresource", "status"}, true},
				{"dev", []string{"ns/annotated", "--set", "exclude=false", "--subresource", "finalize"}, true},
				{"user1x", []string{"deploy/annotated", "-n", "team-a", "--set", "downscale-period=never"}, true},
			} {
				report, out := verified(t, server.Admin.Kubeconfig, "", append([]string{"as-user", change.user}, change.args...)...)
				mustAgree(t, report, out)
				if len(report.Results) != 1 {
					t.Fatalf("%s %v: %d results", change.user, change.args, len(report.Results))
				}
				answer := report.Results[0].Server
				prevented := answer.Status != nil || answer.Outcome == "Altered"
				if prevented == (change.leaks && !test.hardened) {
					t.Errorf("%s %v: %s, %+v", change.user, change.args, answer.Outcome, answer.Status)
				}
			}
		})
	}
}
