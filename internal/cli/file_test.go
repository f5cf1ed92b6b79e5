package cli

import (
	"errors"
	"io"
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

func TestReplaceFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := replaceFile(path, text("one")); err != nil {
		t.Fatal(err)
	}
	checkFile(t, path, "one", privateFile)

	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("file", link); err != nil {
		t.Fatal(err)
	}
	if err := replaceFile(link, text("two")); err != nil {
		t.Fatal(err)
	}
	checkFile(t, path, "two", 0o644)
	if info, err := os.Lstat(link); err != nil || info.Mode().IsRegular() {
		t.Error("the link is gone", err)
	}

	failure := errors.New("no more")
	if err := replaceFile(path, func(io.Writer) error { return failure }); !errors.Is(err, failure) {
		t.Error(err)
	}
	checkFile(t, path, "two", 0o644)
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Error("something is left behind:", entries, err)
	}
}

func TestReplaceFileKeepsDevicesAndFolders(t *testing.T) {
	if err := replaceFile(os.DevNull, text("one")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Error("the null device is gone", err)
	}
	if err := replaceFile(t.TempDir(), text("one")); err == nil {
		t.Error("a folder is overwritten")
	}
}

func checkFile(t *testing.T, path, want string, mode os.FileMode) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s has %q, want %q (%v)", path, got, want, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
		t.Errorf("%s has mode %v, want %v (%v)", path, info.Mode(), mode, err)
	}
}
