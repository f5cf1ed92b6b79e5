package report

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReplaceFile(t *testing.T) {
	folder := t.TempDir()
	file, link := filepath.Join(folder, "report"), filepath.Join(folder, "link")
	if err := replaceFile(file, []byte("one")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(file, 0o640), os.Symlink("report", link)); err != nil {
		t.Fatal(err)
	}
	if err := replaceFile(link, []byte("two")); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil || string(data) != "two" {
		t.Errorf("the link's target has %q, %v", data, err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	if info, err = os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the permissions are gone: %v, %v", info, err)
	}
	assertOnly(t, folder, "link", "report")
}

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

func TestReplaceFileKeepsDevices(t *testing.T) {
	if err := replaceFile(os.DevNull, []byte("data")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(os.DevNull)
	if err != nil || info.Mode().IsRegular() {
		t.Errorf("%s is now a file: %v, %v", os.DevNull, info, err)
	}
}

func assertOnly(t *testing.T, folder string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, entry := range entries {
		got = append(got, entry.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("the folder has %v, not %v", got, names)
	}
}
