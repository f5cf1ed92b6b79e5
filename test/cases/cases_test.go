package cases

import (
	"strings"
	"testing"
)

// TestCases compares, for every request of every case, what is expected with what the API server answers, and that with what
// the plugin answers.
func TestCases(t *testing.T) {
	cases, err := Load("testdata")
	if err != nil {
		t.Fatal(err)
	}
	trials, err := try(t.Context(), apiServer, cases)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			for j, r := range c.Requests {
				t.Run(r.About, func(t *testing.T) { check(t, r, trials[i][j]) })
			}
		})
	}
}

func check(t *testing.T, r Request, trial Trial) {
	t.Helper()
	if trial.Err != nil {
		t.Fatal(trial.Err)
	}
	report := func(side string, found []string) {
		if len(found) > 0 {
			t.Errorf("%s:\n%s", side, strings.Join(found, "\n"))
		}
	}
	report("the API server is not as expected", r.Expect.unmet(trial.Server))
	switch {
	case r.Expect.Assumed != "":
		for _, plugin := range []Answer{trial.Plugin, trial.Files} {
			if plugin.Status != nil || plugin.NotSimulated != "" || !strings.Contains(plugin.Assumed, r.Expect.Assumed) {
				t.Errorf("the plugin should let it pass and assume %q, but assumes %q", r.Expect.Assumed, plugin.Assumed)
			}
		}
		return
	case r.Expect.NotSimulated != "":
		if !strings.Contains(trial.Plugin.NotSimulated, r.Expect.NotSimulated) {
			t.Errorf("the plugin should claim no answer because of %q, but says %q", r.Expect.NotSimulated, trial.Plugin.NotSimulated)
		}
	default:
		if trial.Plugin.NotSimulated != "" {
			t.Errorf("the plugin claims no answer: %s", trial.Plugin.NotSimulated)
		}
		report("the plugin is not as expected", r.Expect.unmet(trial.Plugin))
		report("they disagree", differences(trial.Server, trial.Plugin))
	}
	// By files alone the plugin often can't know: it has to say so, or be right.
	if trial.Files.NotSimulated == "" {
		report("the plugin by files disagrees", differences(trial.Server, trial.Files))
	}
}
