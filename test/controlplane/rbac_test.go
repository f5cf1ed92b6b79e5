// Package controlplane compares the plugin's own RBAC authorizer with Kubernetes', which only this module can import. Its
// dependencies are Kubernetes' own and not the plugin's, so the two meet in a file: what is asked and Kubernetes'
// answers are written here, and read by a test of the plugin's.
package controlplane

import (
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

var (
	seed   = flag.Uint64("seed", 0, "what the roles, bindings and questions are drawn from; 0 is the clock")
	worlds = flag.Int("worlds", 300, "how many sets of roles and bindings are drawn, with 100 questions each")
)

// Every third world has aggregated roles, which take the controller a moment.
const aggregatedOf = 3

// TestRBAC: the plugin decides as Kubernetes does, with the same reasons.
func TestRBAC(t *testing.T) {
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano())
	}
	t.Logf("drawn from -seed %d", *seed)
	drawn := draw(t)
	counts := map[string]int{}
	for _, w := range drawn {
		w.answer(t, counts)
	}
	t.Logf("%d worlds, answers %v", len(drawn), counts)
	for _, sort := range []string{"Allow", "NoOpinion", "role missing"} {
		if counts[sort] < 5**worlds {
			t.Errorf("only %d answers are %q", counts[sort], sort)
		}
	}
	compare(t, drawn)
}

func draw(t *testing.T) []*world {
	t.Helper()
	drawn := make([]*world, *worlds)
	var controllers sync.WaitGroup
	for i := range drawn {
		controllers.Go(func() {
			g := generator{rand.New(rand.NewPCG(*seed, uint64(i)))}
			drawn[i] = g.world(i%aggregatedOf == 0)
			if drawn[i].Aggregate {
				drawn[i].filled = aggregated(t, drawn[i].ClusterRoles)
			}
			g.ask(drawn[i], 100)
		})
	}
	controllers.Wait()
	return drawn
}

// compare hands the answers to the plugin's test.
func compare(t *testing.T, drawn []*world) {
	t.Helper()
	text, err := json.Marshal(drawn)
	must(t, err)
	path := filepath.Join(t.TempDir(), "answers.json")
	must(t, os.WriteFile(path, text, 0o600))
	test := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-run=^TestLikeKubernetes$", "-v", "./pkg/authorization", "-kubernetes-answers="+path)
	test.Dir = filepath.Join("..", "..")
	out, err := test.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Errorf("the plugin disagrees with Kubernetes, see above; repeat it with -seed %d: %v", *seed, err)
	}
}
