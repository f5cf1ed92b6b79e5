package report

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Output is one format and where it goes.
type Output[R any] struct {
	Format  string
	File    string // empty for standard output
	print   Printer[R]
	silent  bool // has no place for explanations
	unasked bool // only tells how the run ended: every output that was asked for goes to a file
}

// Outputs are all that one run writes.
type Outputs[R any] []Output[R]

// ParseOutputs reads the values of a repeatable --output flag, each FORMAT or FORMAT=FILE ("-" is
// standard output). Exactly one goes to standard output: the default format where none is named.
// Templates stand alone. Every error is one of usage.
func (f Formats[R]) ParseOutputs(values []string) (Outputs[R], error) {
	var outputs Outputs[R]
	for _, value := range values {
		output, err := f.parseOutput(value, len(values) == 1)
		if err != nil {
			return nil, err
		}
		if err := outputs.accept(output); err != nil {
			return nil, err
		}
		outputs = append(outputs, output)
	}
	if !outputs.use("") {
		output := newOutput(f[0], f[0].Print, "")
		output.unasked = len(values) > 0
		outputs = append(outputs, output)
	}
	return outputs, nil
}

func newOutput[R any](format Format[R], printer Printer[R], file string) Output[R] {
	return Output[R]{Format: format.Name, File: file, print: printer, silent: format.Unexplained}
}

func (f Formats[R]) parseOutput(value string, alone bool) (Output[R], error) {
	name, argument, hasArgument := strings.Cut(value, "=")
	format, err := f.find(name)
	if err != nil {
		return Output[R]{}, err
	}
	if format.Template != nil {
		return templateOutput(format, argument, alone)
	}
	if hasArgument && argument == "" {
		return Output[R]{}, fmt.Errorf("--output %s names no file", value)
	}
	if argument == "-" {
		argument = ""
	}
	if err := checkFolder(argument); err != nil {
		return Output[R]{}, fmt.Errorf("--output %s: %w", value, err)
	}
	return newOutput(format, format.Print, argument), nil
}

func templateOutput[R any](format Format[R], text string, alone bool) (Output[R], error) {
	if !alone {
		return Output[R]{}, fmt.Errorf("--output %s can't be combined with another output", format.Name)
	}
	if text == "" {
		return Output[R]{}, fmt.Errorf("--output %s needs a template: %s=…", format.Name, format.Name)
	}
	printer, err := format.Template(text)
	if err != nil {
		return Output[R]{}, fmt.Errorf("--output %s: %w", format.Name, err)
	}
	return newOutput(format, printer, ""), nil
}

// accept refuses an output whose place is taken.
func (o Outputs[R]) accept(output Output[R]) error {
	if !o.use(output.File) {
		return nil
	}
	if output.File == "" {
		return fmt.Errorf("only one output can go to standard output: give --output %s a file, as in %s=FILE",
			output.Format, output.Format)
	}
	return fmt.Errorf("two outputs go to the same file %s", output.File)
}

func (o Outputs[R]) use(file string) bool {
	for _, output := range o {
		if output.File == file || (output.File != "" && file != "" && sameFile(output.File, file)) {
			return true
		}
	}
	return false
}

func sameFile(a, b string) bool {
	absoluteA, errA := filepath.Abs(a)
	absoluteB, errB := filepath.Abs(b)
	if errA == nil && errB == nil && absoluteA == absoluteB {
		return true
	}
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// Check refuses options that none of the outputs can follow.
func (o Outputs[R]) Check(options Options) error {
	if !options.Explain {
		return nil
	}
	for _, output := range o {
		if !output.silent {
			return nil
		}
	}
	return fmt.Errorf("--explain has no place in --output %s: use table, wide, json or yaml", o[0].Format)
}

// Write prints the report to every output, files first. An output that fails doesn't keep the others
// from being written; the error has them all. It gives the report's nil lists their empty form, see Normalize.
func (o Outputs[R]) Write(stdout io.Writer, report R, options Options) error {
	Normalize(report)
	var failures, last []error
	for _, output := range o {
		if output.File == "" {
			options.SummaryOnly = options.SummaryOnly || output.unasked
			last = append(last, output.writeTo(stdout, report, options))
			continue
		}
		failures = append(failures, output.writeFile(report, options))
	}
	return errors.Join(append(failures, last...)...)
}
