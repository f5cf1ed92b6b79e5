package differential

import (
	"context"
	"flag"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

var (
	keepFlag   = flag.Bool("keep", false, "write disagreements to "+regressions)
	groupFlag  = flag.Int("group", -1, "try only the group with this index")
	shrinkFlag = flag.Int("shrink", 2, "how many disagreements to make small")
)

var ctx = context.Background()

// groupsAtATime is how many groups share a round, and so the wait for their policies.
const groupsAtATime = 60

// manyCases is from how many cases on a run must have covered everything.
const manyCases = 2000

// differential is one run of the comparison.
type differential struct {
	seed          uint64
	cases         int
	disagreements int
	discards      Discards
	coverage      Coverage
}

// TestDifferential compares random cases.
func TestDifferential(t *testing.T) {
	d := differential{seed: *seedFlag, discards: Discards{}, coverage: Coverage{}}
	if d.seed == 0 {
		d.seed = uint64(time.Now().UnixNano())
	}
	t.Logf("repeat with -seed %d -cases %d", d.seed, *casesFlag)
	started := time.Now()
	if *groupFlag >= 0 {
		text, err := yaml.Marshal(Generate(d.seed, *groupFlag))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s", text)
		d.round(t, *groupFlag, 1)
		return
	}
	for next := 0; d.cases < *casesFlag || d.goesOn(); next += groupsAtATime {
		d.round(t, next, groupsAtATime)
	}
	t.Logf("seed %d: %d cases in %v, %d disagreements\ndiscarded %d (%.1f %%)%s\n%s", d.seed, d.cases, time.Since(started).Round(time.Second),
		d.disagreements, d.discards.Total(), d.discardedPercent(), d.discards.Table(), d.coverage.Table())
	d.judge(t)
}

// goesOn says whether a long run needs more cases than asked for: by chance it may have missed something, which up to twice as
// many again have to show.
func (d *differential) goesOn() bool {
	return *casesFlag >= manyCases && d.cases < *casesFlag*3 && len(d.coverage.Thin()) > 0
}

func (d *differential) discardedPercent() float64 {
	return 100 * float64(d.discards.Total()) / float64(max(1, d.cases))
}

// judge says whether the run has shown enough.
func (d *differential) judge(t *testing.T) {
	t.Helper()
	if most := 5.0; d.discardedPercent() > most {
		t.Errorf("%.1f %% of the cases were discarded; more than %.0f %% hide too much", d.discardedPercent(), most)
	}
	if *casesFlag < manyCases {
		return
	}
	if thin := d.coverage.Thin(); len(thin) > 0 {
		t.Errorf("the API server showed these less than %d times:\n%s", least, strings.Join(thin, "\n"))
	}
}

// round tries the groups from an index on, n of them.
func (d *differential) round(t *testing.T, first, n int) {
	t.Helper()
	var groups []Group
	for i := range n {
		groups = append(groups, Generate(d.seed, first+i))
	}
	round, err := rig.Round(ctx, groups)
	if err != nil {
		t.Fatal(err)
	}
	for i, why := range round.Refused {
		d.cases += len(groups[i].Requests)
		d.discards.Add("refused: "+why, first+i, len(groups[i].Requests))
	}
	for _, trial := range round.Trials {
		d.cases++
		switch {
		case trial.NotSimulated != "":
			d.discards.Add("not simulated: "+trial.NotSimulated, first+trial.Group, 1)
		case trial.Diff != "":
			d.disagreements++
			t.Errorf("group %d, request %d: the answers differ:\n%s%s\nrepeat with -seed %d -cases %d", first+trial.Group, trial.Request,
				trial.Diff, d.shrink(t, groups[trial.Group], trial), d.seed, d.cases)
		}
	}
	d.coverage.Add(round)
}

// shrink makes one of the first disagreements small and returns it as a regression file has it.
func (d *differential) shrink(t *testing.T, group Group, trial Trial) string {
	t.Helper()
	if d.disagreements > *shrinkFlag {
		return ""
	}
	small, diff, err := rig.Shrink(ctx, group, trial.Request, trial.Diff)
	if err != nil {
		t.Error(err)
	}
	content, err := Regression(small, diff)
	if err != nil {
		t.Fatal(err)
	}
	if !*keepFlag {
		return "\n" + string(content)
	}
	file, err := KeepRegression(content)
	if err != nil {
		t.Fatal(err)
	}
	return "kept in " + file + "\n"
}
