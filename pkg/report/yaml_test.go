package report

import (
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"sigs.k8s.io/yaml"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

func TestYAML(t *testing.T) {
	golden(t, "simulation.yaml", printed(t, Simulation, "yaml", simulationOf(blocked(deployment("team-a", "web"))), Options{}))
	golden(t, "audit.yaml", printed(t, Audit, "yaml", everyGuard(), Options{}))
	golden(t, "simulation-hostile.yaml", printed(t, Simulation, "yaml", hostileSimulation(), Options{}))
}

func TestYAMLIsExactlyTheReport(t *testing.T) {
	for _, report := range []*simulate.Report{everyOutcome(), hostileSimulation()} {
		data := printed(t, Simulation, "yaml", report, Options{})
		assertHarmless(t, data)
		var got simulate.Report
		if err := yaml.UnmarshalStrict(data, &got); err != nil {
			t.Fatal(err)
		}
		ignored := cmpopts.IgnoreFields(simulate.Result{}, "Incomplete", "Assumptions")
		if diff := cmp.Diff(*report, got, ignored); diff != "" {
			t.Errorf("YAML is not the report (-report +YAML):\n%s", diff)
		}
	}
}

func TestEscapedYAMLIsLaidOutAsAnyOther(t *testing.T) {
	report := everyOutcome()
	Normalize(report)
	object, err := generic(report)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := encodeYAML(object.UnstructuredContent())
	if err != nil {
		t.Fatal(err)
	}
	escaped, err := escapeYAML(object.UnstructuredContent())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(plain), string(escaped)); diff != "" {
		t.Error(diff)
	}
}

// Readers of YAML 1.1, such as kubectl's library, and of YAML 1.2 must read every string alike.
func FuzzYAML(f *testing.F) {
	for _, seed := range []string{hostile, "yes", "0o7", "1:20", "null", "~", "2026-11-01", "- a", "a: b", "\ufffd", "a\n\n b\n", " "} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			t.Skip("JSON has none of these")
		}
		want := map[string]string{"key": text, text: "value"}
		data, err := printYAML(want, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		if err := yaml.Unmarshal(data, &got); err != nil {
			t.Fatalf("%v:\n%s", err, data)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s\n%s", diff, data)
		}
	})
}
