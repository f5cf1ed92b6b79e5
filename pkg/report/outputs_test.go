package report

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParseOutputs(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "report.json")
	for _, test := range []struct {
		values []string
		want   string // FORMAT>FILE …
	}{
		{nil, "table>"},
		{[]string{"table"}, "table>"},
		{[]string{"JSON"}, "json>"},
		{[]string{"json=-"}, "json>"},
		{[]string{"json=" + file}, "json>" + file + " table>"},
		{[]string{"yaml", "json=" + file}, "yaml> json>" + file},
		{[]string{"jsonpath={.a=b}"}, "jsonpath>"},
	} {
		outputs, err := Simulation.ParseOutputs(test.values)
		if err != nil {
			t.Errorf("%v: %v", test.values, err)
			continue
		}
		var got []string
		for _, output := range outputs {
			got = append(got, output.Format+">"+output.File)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%v: got %v, want %s", test.values, got, test.want)
		}
	}
}

func TestParseOutputsRefuses(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "report.json")
	link := filepath.Join(folder, "link.json")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Symlink(file, link)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		values []string
		want   string
	}{
		{[]string{"xml"}, `unknown output format "xml": use one of table, wide, name, junit, markdown, json, yaml, jsonpath=, jsonpath-as-json=, jsonpath-file=, go-template=, go-template-file=`},
		{[]string{""}, `unknown output format ""`},
		{[]string{"table", "json"}, "only one output can go to standard output: give --output json a file, as in json=FILE"},
		{[]string{"table", "json=-"}, "only one output can go to standard output"},
		{[]string{"json=" + file, "yaml=" + file}, "two outputs go to the same file " + file},
		{[]string{"json=" + file, "yaml=" + folder + "/./report.json"}, "two outputs go to the same file"},
		{[]string{"json=" + file, "yaml=" + link}, "two outputs go to the same file"},
		{[]string{"json="}, "--output json= names no file"},
		{[]string{"json=" + folder}, "is a folder"},
		{[]string{"json=" + folder + "/none/report.json"}, "no such file or directory"},
		{[]string{"json=" + file + "/report.json"}, "report.json is not a folder"},
		{[]string{"jsonpath={.a}", "json=" + file}, "--output jsonpath can't be combined with another output"},
		{[]string{"json=" + file, "go-template={{.}}"}, "--output go-template can't be combined with another output"},
	} {
		if _, err := Simulation.ParseOutputs(test.values); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: got %v, want %s", test.values, err, test.want)
		}
	}
}

func TestCheck(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report")
	for _, test := range []struct {
		values  []string
		explain bool
		fine    bool
	}{
		{[]string{"name"}, true, false},
		{[]string{"name"}, false, true},
		{[]string{"name", "table=" + file}, true, true},
		{[]string{"name=" + file}, true, true}, // and the table on standard output
		{[]string{"json"}, true, true},
		{nil, true, true},
	} {
		outputs, err := Simulation.ParseOutputs(test.values)
		if err != nil {
			t.Fatal(err)
		}
		if err := outputs.Check(Options{Explain: test.explain}); (err == nil) != test.fine {
			t.Errorf("%v, explain %t: %v", test.values, test.explain, err)
		}
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

// Files are written plainly, and also when standard output fails.
func TestWriteEverywhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "table.txt")
	outputs, err := Simulation.ParseOutputs([]string{"json", "table=" + file})
	if err != nil {
		t.Fatal(err)
	}
	err = outputs.Write(brokenPipe{}, everyOutcome(), Options{Color: true, Width: 80})
	if err == nil || err.Error() != "writing json to standard output: broken pipe" {
		t.Errorf("got %v", err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if want := printed(t, Simulation, "table", everyOutcome(), Options{}); !bytes.Equal(data, want) {
		t.Errorf("the file has terminal's things in it:\n%s", data)
	}
}
