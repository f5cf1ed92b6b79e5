package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got), -update writes it anew:\n%s", path, diff)
	}
}

// printed is what a command's users get on standard output.
func printed[R any](t *testing.T, formats Formats[R], output string, report R, options Options) []byte {
	t.Helper()
	outputs, err := formats.ParseOutputs([]string{output})
	if err != nil {
		t.Fatal(err)
	}
	var stdout bytes.Buffer
	if err := outputs.Write(&stdout, report, options); err != nil {
		t.Fatal(err)
	}
	return stdout.Bytes()
}
