// Package replace writes files so that no reader ever sees half of one.
package replace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// The permissions of a new file, before the umask. Private: only its owner may read it.
const (
	Private fs.FileMode = 0o600
	Public  fs.FileMode = 0o666
)

// File gives a file new content at once, or leaves it as it is if that fails. Links are followed, a file that is there keeps its
// permissions, and what is not a regular file, such as a pipe or /dev/null, is written to instead of replaced.
func File(path string, perm fs.FileMode, write func(io.Writer) error) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return renameInto(path, perm, false, write)
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("this is a folder; name a file in it")
	case !info.Mode().IsRegular():
		return writeOpened(path, os.O_WRONLY, 0, write)
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	return renameInto(target, info.Mode().Perm(), true, write)
}

// renameInto writes a file beside the target and renames it over the target. It has the permissions that the umask leaves, or exactly these.
func renameInto(target string, perm fs.FileMode, exactly bool, write func(io.Writer) error) error {
	temp := filepath.Join(filepath.Dir(target), fmt.Sprintf(".%s.%x", filepath.Base(target), rand.Uint64()))
	err := writeOpened(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm, write)
	if err == nil && exactly {
		err = os.Chmod(temp, perm)
	}
	if err == nil {
		err = os.Rename(temp, target)
	}
	if err == nil {
		return nil
	}
	if failure := os.Remove(temp); failure != nil && !errors.Is(failure, fs.ErrNotExist) {
		err = errors.Join(err, failure)
	}
	return err
}

func writeOpened(path string, flags int, perm fs.FileMode, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, flags, perm)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}
