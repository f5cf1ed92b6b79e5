package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// replaceFile gives a file new content at once, or leaves it as it is if that fails. Links are followed, and
// what is not a regular file, such as a pipe or /dev/null, is written to instead of replaced.
func replaceFile(path string, write func(io.Writer) error) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return renameInto(path, privateFile, write)
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("this is a folder; name a file in it")
	case !info.Mode().IsRegular():
		return writeTo(path, write)
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	return renameInto(target, info.Mode().Perm(), write)
}

// privateFile are a new file's permissions: who may read the state of a cluster is not ours to widen.
const privateFile fs.FileMode = 0o600

// renameInto writes a file beside the target and renames it over the target.
func renameInto(target string, mode fs.FileMode, write func(io.Writer) error) error {
	file, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".*")
	if err != nil {
		return err
	}
	err = errors.Join(write(file), file.Chmod(mode), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), target)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

func writeTo(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}
