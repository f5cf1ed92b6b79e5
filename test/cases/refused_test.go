package cases

import (
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// TestRefused creates what no API server takes, and reads it from a file.
func TestRefused(t *testing.T) {
	cases, err := Load("testdata")
	if err != nil {
		t.Fatal(err)
	}
	inv, err := inventory.Live(t.Context(), apiServer.Admin.Config, inventory.LiveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		for _, refusal := range c.Refused {
			t.Run(c.Name+"/"+refusal.About, func(t *testing.T) {
				said, err := serverRefuses(t.Context(), apiServer.Admin.Config, inv, refusal.Object)
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(said, refusal.Says) {
					t.Errorf("the API server should say %q, and says: %s", refusal.Says, said)
				}
				said, err = pluginRefuses(t.Context(), refusal.Object)
				if err != nil {
					t.Fatal(err)
				}
				if said == "" {
					t.Error("the plugin takes it")
				}
			})
		}
	}
}
