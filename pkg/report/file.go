package report

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/internal/replace"
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
	if err := replace.File(o.File, replace.Public, func(out io.Writer) error {
		_, err := out.Write(data)
		return err
	}); err != nil {
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
