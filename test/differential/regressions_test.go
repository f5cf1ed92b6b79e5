package differential

import "testing"

// TestRegressions replays every disagreement that was found once.
func TestRegressions(t *testing.T) {
	kept, _, err := ReadRegressions()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	var groups []Group
	for name, group := range kept {
		names, groups = append(names, name), append(groups, group)
	}
	if len(groups) == 0 {
		return
	}
	round, err := rig.Round(ctx, groups)
	if err != nil {
		t.Fatal(err)
	}
	for i, why := range round.Refused {
		t.Errorf("%s: the API server refuses it: %s", names[i], why)
	}
	for _, trial := range round.Trials {
		switch {
		case trial.Diff != "":
			t.Errorf("%s: %s\n%s", names[trial.Group], groups[trial.Group].About, trial.Diff)
		case trial.NotSimulated != "":
			t.Logf("%s: not simulated: %s", names[trial.Group], trial.NotSimulated)
		}
	}
}
