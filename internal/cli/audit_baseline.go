package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/internal/replace"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/baseline"
)

// baselineFlags name the findings that are known, and where to write those of this audit.
type baselineFlags struct {
	from string
	to   string

	known *baseline.File // nil where none is named
	text  []byte         // what is to be written
}

func (f *baselineFlags) add(cmd *cobra.Command) {
	addFlags(cmd, "Findings", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.from, "baseline", "", "Findings that this `FILE` has are known: they are counted, and only others are shown and fail the run")
		flags.StringVar(&f.to, "write-baseline", "", "Write this audit's findings into this `FILE`, for --baseline; with both, it is renewed. What is written fails the run only with --fail-on")
	})
}

// paths are the file to be read.
func (f *baselineFlags) paths() []string {
	if f.from == "" {
		return nil
	}
	return []string{f.from}
}

// validate finds out before a long run that the file could not be written after it.
func (f *baselineFlags) validate(cmd *cobra.Command) error {
	for _, flag := range []struct{ name, path string }{{"baseline", f.from}, {"write-baseline", f.to}} {
		if cmd.Flags().Changed(flag.name) && flag.path == "" {
			return usageErrorf("--%s names no file", flag.name)
		}
	}
	if f.to == "" {
		return nil
	}
	if f.to == standardInput {
		return usageErrorf("--write-baseline writes a file, and standard output is the report's; name a file")
	}
	if info, err := os.Stat(f.to); err == nil && info.IsDir() {
		return usageErrorf("--write-baseline %s: this is a folder; name a file in it", f.to)
	}
	if err := f.checkReplaced(); err != nil {
		return err
	}
	if info, err := os.Stat(filepath.Dir(f.to)); err != nil || !info.IsDir() {
		return usageErrorf("--write-baseline %s: there is no folder %s", f.to, filepath.Dir(f.to))
	}
	return nil
}

// checkReplaced refuses to write over a file that is not empty and no baseline: its name may be a slip.
func (f *baselineFlags) checkReplaced() error {
	info, err := os.Stat(f.to)
	if err != nil || !info.Mode().IsRegular() {
		return nil //nolint:nilerr // there is nothing to lose, and what can't be written says so then
	}
	text, err := os.ReadFile(f.to)
	if err == nil && !baseline.Is(text) {
		return usageErrorf("--write-baseline %s: this file is no baseline, and would be written over; name another one, or remove it", f.to)
	}
	if err != nil {
		return usageErrorf("--write-baseline: %w", err)
	}
	return nil
}

// read reads the findings that are known.
func (f *baselineFlags) read(stdin io.Reader, scope audit.Scope) error {
	if f.from == "" {
		return nil
	}
	var text []byte
	var err error
	if f.from == standardInput {
		text, err = io.ReadAll(stdin)
	} else {
		text, err = os.ReadFile(f.from)
	}
	if errors.Is(err, fs.ErrNotExist) && f.to != "" {
		return usageErrorf("--baseline: %w; the first time, give --write-baseline alone, which makes one", err)
	}
	if err != nil {
		return usageErrorf("--baseline: %w", err)
	}
	file, err := baseline.Read(f.from, text)
	if err != nil {
		return fmt.Errorf("--baseline: %w", err)
	}
	if f.to != "" && file.Scope != scope {
		return usageErrorf("--baseline %s is of another part of the state than this audit, so that it can't be renewed by it; give the same --namespace and --selector, or leave --baseline out", f.from)
	}
	f.known = &file
	return nil
}

// apply tells the known findings of a report from the others, and keeps all of them for the file to be written.
func (f *baselineFlags) apply(answer *audit.Report) (err error) {
	if f.known != nil {
		f.known.Apply(answer)
	}
	if f.to != "" {
		f.text, err = baseline.Of(answer).Text()
	}
	return err
}

// write writes the file, once the report is printed.
func (f *baselineFlags) write() error {
	if f.to == "" {
		return nil
	}
	err := replace.File(f.to, replace.Private, func(out io.Writer) error {
		_, err := out.Write(f.text)
		return err
	})
	if err != nil {
		return fmt.Errorf("--write-baseline %s: %w", f.to, err)
	}
	return nil
}

// notes say what a baseline that is written or read lacks, and how many of its findings are there no more.
func (f *baselineFlags) notes(answer *audit.Report) []string {
	var notes []string
	if f.to != "" && len(answer.Incomplete) > 0 {
		notes = append(notes, fmt.Sprintf("%s is of an audit that could not look at everything, and says so: what is found there later is new", f.to))
	} else if f.known != nil && len(f.known.Incomplete) > 0 {
		notes = append(notes, fmt.Sprintf("%s is of an audit that could not look at everything (%s): what is new may have been there before", f.from, f.known.Incomplete[0].What))
	}
	return append(notes, f.gone(answer)...)
}

func (f *baselineFlags) gone(answer *audit.Report) []string {
	if answer.Baseline == nil || len(answer.Baseline.Gone) == 0 {
		return nil
	}
	remedy := "to take them out, renew it with --write-baseline " + f.from
	if f.to != "" {
		remedy = "they are not in " + f.to
	}
	var ids []string
	for _, gone := range answer.Baseline.Gone {
		if !slices.Contains(ids, gone.ID) {
			ids = append(ids, gone.ID)
		}
	}
	return []string{fmt.Sprintf("the audit does not find %d of the baseline's findings any more (%s); %s", len(answer.Baseline.Gone), strings.Join(ids, ", "), remedy)}
}
