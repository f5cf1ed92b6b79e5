package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestJSONPath(t *testing.T) {
	for output, want := range map[string]string{
		"jsonpath={.summary.objects}":                                   "6",
		"jsonpath={.missing}":                                           "",
		`jsonpath={range .results[*]}{.outcome}{"\n"}{end}`:             "Allowed\nAllowed\nAllowed\nAltered\nBlocked\nUnknown\n",
		`jsonpath={.results[?(@.outcome=="Blocked")].object.name}`:      "web",
		"jsonpath-as-json={.requester.username}":                        "[\n    \"dev\"\n]\n",
		"jsonpath-file=" + write(t, "{.requester.username}"):            "dev",
		"JSONPath={.kind}":                                              "SimulationReport",
		"go-template={{.requester.username}}":                           "dev",
		"go-template={{.missing}}":                                      "<no value>",
		"go-template-file=" + write(t, "{{len .results}}"):              "6",
		"go-template={{if exists . \"results\" 0}}yes{{end}}":           "yes",
		`go-template={{range .results}}{{.outcome}}{{"\n"}}{{end}}`:     "Allowed\nAllowed\nAllowed\nAltered\nBlocked\nUnknown\n",
		"go-template={{(index .results 0).annotations}}{{.apiVersion}}": "",
	} {
		got := string(printed(t, Simulation, output, everyOutcome(), Options{}))
		if want != "" && got != want {
			t.Errorf("%s: got %q, want %q", output, got, want)
		}
	}
}

func TestTemplatesGiveExactDataToScripts(t *testing.T) {
	for _, output := range []string{"jsonpath={.requester.username}", "go-template={{.requester.username}}"} {
		if got := string(printed(t, Simulation, output, hostileSimulation(), Options{})); got != hostile {
			t.Errorf("%s: got %q", output, got)
		}
	}
}

func TestTemplateErrors(t *testing.T) {
	for output, want := range map[string]string{
		"jsonpath={.a":                `--output jsonpath: parsing jsonpath "{.a"`,
		"jsonpath":                    "--output jsonpath needs a template",
		"go-template={{":              "--output go-template: parsing the template",
		"go-template-file=/not/there": "/not/there",
	} {
		if _, err := Simulation.ParseOutputs([]string{output}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", output, err)
		}
	}
}

// A template that fails prints nothing, and its error is short: not the whole report.
func TestTemplateFailing(t *testing.T) {
	for _, output := range []string{"jsonpath={.results[99]}", "go-template={{index .results 99}}"} {
		outputs, err := Simulation.ParseOutputs([]string{output})
		if err != nil {
			t.Fatal(err)
		}
		var stdout strings.Builder
		err = outputs.Write(&stdout, everyOutcome(), Options{})
		if err == nil || len(err.Error()) > 300 || stdout.Len() > 0 {
			t.Errorf("%s: %v, printed %q", output, err, stdout.String())
		}
	}
}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "template")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
