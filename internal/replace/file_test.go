package replace

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

func TestFile(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := File(path, Private, text("one")); err != nil {
		t.Fatal(err)
	}
	checkFile(t, path, "one", Private)

	// Group write is what a usual umask takes away from a new file; an old one keeps it.
	if err := errors.Join(os.Chmod(path, 0o664), os.Symlink("file", link)); err != nil {
		t.Fatal(err)
	}
	if err := File(link, Private, text("two")); err != nil {
		t.Fatal(err)
	}
	checkFile(t, path, "two", 0o664)
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link is gone", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Error("something is left behind:", entries, err)
	}
}

func TestFileFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	failing := func(w io.Writer) error { return errors.Join(text("half")(w), fs.ErrInvalid) }
	if err := File(path, Private, failing); !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Error("there is a file now:", err)
	}
	if err := File(path, Private, text("whole")); err != nil {
		t.Fatal(err)
	}
	if err := File(path, Private, failing); !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
	checkFile(t, path, "whole", Private)
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Error("something is left behind:", entries, err)
	}
	if err := File(filepath.Join(dir, "gone", "file"), Private, text("one")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a file in a folder that is not there:", err)
	}
}

func TestFileKeepsDevicesAndFolders(t *testing.T) {
	if err := File(os.DevNull, Private, text("one")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Error("the null device is gone", err)
	}
	if err := File(t.TempDir(), Private, text("one")); err == nil {
		t.Error("a folder is overwritten")
	}
}

func checkFile(t *testing.T, path, want string, mode fs.FileMode) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s has %q, want %q (%v)", path, got, want, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
		t.Errorf("%s has mode %v, want %v (%v)", path, info.Mode(), mode, err)
	}
}
