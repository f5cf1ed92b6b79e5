package chart

import (
	"os"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// TestHardenedHolds: whatever the values, the hardened guard stops everyone whom no pattern names from end to end, by every way, and lets the others through.
func TestHardenedHolds(t *testing.T) {
	recorded := readTable(t)
	inv := world(t, recorded.Requests)
	release := Release{Name: "downscaler", Namespace: "kube-downscaler"}
	for _, file := range []string{"all-lists.yaml", "alternations.yaml", "service-accounts.yaml", "groups.yaml", "users.yaml", "backslash.yaml", "patterns-63.yaml", "removal-without-enabled.yaml", "mutate.yaml", "mutate-service-accounts.yaml", "webhook.yaml"} {
		t.Run(file, func(t *testing.T) {
			values := valuesIn(t, file)
			manifests, err := values.Render(release, "v1.37.1", true)
			if err != nil {
				t.Fatal(err)
			}
			rendered, err := inventory.FromFilesFor(t.Context(), "v1.37.1", inventory.FileSource{Path: file, Reader: strings.NewReader(string(manifests)), Strict: true})
			if err != nil {
				t.Fatal(err)
			}
			simulator, err := simulate.New(t.Context(), inv, rendered.Policies())
			if err != nil {
				t.Fatal(err)
			}
			for name, r := range recorded.Requests {
				for _, kind := range []string{"Deployment", "Namespace"} {
					if r.Subresource == "finalize" && kind != "Namespace" {
						continue
					}
					for user, authorised := range map[string]bool{"dev": false, "xuser1y": false, values.downscaler(release): true} {
						changes := name != "unchanged" && name != "create-without" && name != "add-other"
						result := simulator.Run(t.Context(), requestOf(t, inv, r, recordedDecision{User: user, Kind: kind, Request: name}), simulate.Options{})
						prevented := result.Outcome == simulate.Blocked || result.Outcome == simulate.Altered
						if want := changes && !authorised; prevented != want || result.Outcome == simulate.Unknown {
							t.Errorf("%s of %s by %s: %s, steps %+v", name, kind, user, result.Outcome, result.Steps)
						}
					}
				}
			}
		})
	}
}

// valuesIn reads a file of testdata.
func valuesIn(t *testing.T, file string) *Values {
	t.Helper()
	text, err := os.ReadFile("testdata/values/" + file)
	if err != nil {
		t.Fatal(err)
	}
	values, err := ReadValues(file, text)
	if err != nil {
		t.Fatal(err)
	}
	return values
}
