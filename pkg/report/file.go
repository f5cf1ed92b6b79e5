package report

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

func (o Output[R]) writeTo(stdout io.Writer, report R, options Options) error {
	data, err := o.print(report, options)
	if err != nil {
		return err
	}
	if _, err := stdout.Write(data); err != nil {
		return fmt.Errorf("writing %s to standard output: %w", o.Format, err)
	}
	return nil
}

func (o Output[R]) writeFile(report R, options Options) error {
	options.Color, options.Width, options.Terminal = false, 0, false
	data, err := o.print(report, options)
	if err != nil {
		return fmt.Errorf("writing %s: %w", o.File, err)
	}
	if err := replaceFile(o.File, data); err != nil {
		return fmt.Errorf("writing %s: %w", o.File, err)
	}
	return nil
}

// checkFolder finds out before a long run that a file could not be written after it.
func checkFolder(file string) error {
	if file == "" {
		return nil
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return errors.New("is a folder")
	}
	info, err := os.Stat(filepath.Dir(file))
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a folder", filepath.Dir(file))
	}
	return nil
}

// replaceFile gives a file new content at once, so that no reader sees half of it. Links are followed.
// What is not a regular file, such as a pipe or /dev/null, is written to instead of replaced.
func replaceFile(path string, data []byte) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return renameInto(path, data, nil)
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return writeOpened(path, data, os.O_WRONLY)
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	return renameInto(target, data, info)
}

// renameInto writes a new file beside the target and renames it over the target. The new file has the
// old one's permissions; without an old one, those that the umask gives.
func renameInto(target string, data []byte, old fs.FileInfo) error {
	temp := filepath.Join(filepath.Dir(target), fmt.Sprintf(".%s.%x", filepath.Base(target), rand.Uint64()))
	err := writeOpened(temp, data, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err == nil && old != nil {
		err = os.Chmod(temp, old.Mode().Perm())
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

func writeOpened(path string, data []byte, flags int) (err error) {
	file, err := os.OpenFile(path, flags, 0o666)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, err = file.Write(data)
	return err
}
