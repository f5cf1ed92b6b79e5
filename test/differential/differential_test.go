package differential

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"testing"
	"time"
)

var (
	keepFlag   = flag.Bool("keep", false, "write disagreements to "+regressions)
	groupFlag  = flag.Int("group", -1, "try only the group with this index")
	shrinkFlag = flag.Int("shrink", 2, "how many disagreements to make small")
)

var ctx = context.Background()

// groupsAtATime is how many groups share a round, and so the wait for their policies.
const groupsAtATime = 60

// run is one run of the comparison.
type differential struct {
	seed          uint64
	cases         int
	disagreements int
	discarded     map[string]int
	coverage      Coverage
}

// TestDifferential compares random cases.
func TestDifferential(t *testing.T) {
	if *casesFlag == 0 && *groupFlag < 0 {
		t.Skip("no -cases given; `make differential` compares 2000")
	}
	d := differential{seed: *seedFlag, discarded: map[string]int{}, coverage: Coverage{}}
	if d.seed == 0 {
		d.seed = uint64(time.Now().UnixNano())
	}
	t.Logf("repeat with -seed %d -cases %d", d.seed, *casesFlag)
	started := time.Now()
	if *groupFlag >= 0 {
		d.round(t, *groupFlag, 1)
		*casesFlag = 0
	}
	for next := 0; d.cases < *casesFlag; next += groupsAtATime {
		d.round(t, next, groupsAtATime)
	}
	t.Logf("%d cases in %v, %d disagreements\n%s\n%s", d.cases, time.Since(started).Round(time.Second), d.disagreements, d.discards(), d.coverage.Table())
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
		d.discard("refused: "+why, len(groups[i].Requests))
	}
	for _, trial := range round.Trials {
		d.cases++
		switch {
		case trial.NotSimulated != "":
			d.discard("not simulated: "+trial.NotSimulated, 1)
		case trial.Diff != "":
			d.disagreements++
			t.Errorf("group %d, request %d: the answers differ:\n%s%s", first+trial.Group, trial.Request, trial.Diff, d.shrink(t, groups[trial.Group], trial))
		}
	}
	d.coverage.Add(round)
}

var groupNames = regexp.MustCompile(`\bg[0-9]+\b`)

func (d *differential) discard(why string, cases int) {
	if why[0] == 'r' {
		d.cases += cases
	}
	d.discarded[groupNames.ReplaceAllString(why, placeholder)] += cases
}

func (d *differential) discards() string {
	total, text := 0, ""
	for _, why := range slices.Sorted(maps.Keys(d.discarded)) {
		total += d.discarded[why]
		text += fmt.Sprintf("\n%6d %.300s", d.discarded[why], why)
	}
	return fmt.Sprintf("discarded %d (%.1f %%)%s", total, 100*float64(total)/float64(max(1, d.cases)), text)
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
