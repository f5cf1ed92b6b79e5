//go:build !race

package chart

import (
	"fmt"
	"maps"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// TestBudget replays recorded decisions on objects with thousands of further annotations: what exhausts the cost budget passes. Of the nine in the table it
// tries the two with 30 patterns and 10,000 annotations, one of each kind; all of them agree, and take minutes. With the race detector even two do.
func TestBudget(t *testing.T) {
	recorded := readTable(t)
	tried := map[string]bool{}
	for _, f := range recorded.Files {
		for _, r := range f.Releases {
			for _, d := range r.Decisions {
				if d.Junk != 10_000 || f.File != "patterns-30.yaml" {
					continue
				}
				tried[d.Decision] = true
				t.Run(d.Request, func(t *testing.T) {
					t.Parallel()
					checkCrowded(t, valuesIn(t, f.File), Release{Name: r.Name, Namespace: r.Namespace}, recorded.Requests[d.Request], d)
				})
			}
		}
	}
	if !tried["allowed"] || !tried["denied"] {
		t.Errorf("tried only %v", tried)
	}
}

// checkCrowded tries a request for an object that has as many further annotations as were recorded.
func checkCrowded(t *testing.T, values *Values, release Release, r recordedRequest, d recordedDecision) {
	t.Helper()
	r.Before, r.Proposed = crowded(r.Before, d.Junk), crowded(r.Proposed, d.Junk)
	inv := worldOf(t, map[string]string{d.Kind: kindsOfTheTable[d.Kind]}, map[string]recordedRequest{d.Request: r})
	simulator, err := simulate.New(t.Context(), inv, values.Plain(release))
	if err != nil {
		t.Fatal(err)
	}
	result := simulator.Run(t.Context(), requestOf(t, inv, r, d), simulate.Options{})
	if why := differs(result, r, d); why != "" {
		t.Error(why)
	}
}

func crowded(annotations map[string]string, junk int) map[string]string {
	all := maps.Clone(annotations)
	for i := range junk {
		all[fmt.Sprintf("j%05d", i)] = ""
	}
	return all
}
