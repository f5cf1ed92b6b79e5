package report

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What can't be written leaves nothing behind, the old file whole, and an error that names the file.
func TestWriteFileFails(t *testing.T) {
	folder := t.TempDir()
	outputs, err := Simulation.ParseOutputs([]string{"json=" + filepath.Join(folder, "gone", "report")})
	if err == nil {
		t.Fatalf("a folder that isn't there is accepted: %v", outputs)
	}
	if err := os.Mkdir(filepath.Join(folder, "gone"), 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "gone", "report")
	if outputs, err = Simulation.ParseOutputs([]string{"json=" + file}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(folder, "gone")); err != nil {
		t.Fatal(err)
	}
	var stdout bytes.Buffer
	err = outputs.Write(&stdout, everyOutcome(), Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "writing "+file+": ") {
		t.Errorf("got %v", err)
	}
	if stdout.Len() == 0 {
		t.Error("standard output was not written")
	}
}
