package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/report"
)

// outputFlags say how a report is shown.
type outputFlags struct {
	formats   []string
	showAll   bool
	noHeaders bool
	noColor   bool
	quiet     bool
	strict    bool
}

func (f *outputFlags) add(cmd *cobra.Command, formats []string) {
	addFlags(cmd, "Output", func(flags *pflag.FlagSet) {
		flags.StringArrayVarP(&f.formats, "output", "o", nil, "`FORMAT` or FORMAT=FILE, one of them to standard output; repeatable: "+formatList(formats))
		flags.BoolVar(&f.showAll, "show-all", false, "Show every object, not only those that need attention")
		flags.BoolVar(&f.strict, "strict", false, "Count what was taken for granted as not looked at (exit code 2)")
		flags.BoolVar(&f.noHeaders, "no-headers", false, "Tables without their header line")
		flags.BoolVar(&f.noColor, "no-color", false, "Tables without colour, as with NO_COLOR or TERM=dumb")
		flags.BoolVar(&f.quiet, "quiet", false, "Nothing on standard error but errors that leave no report")
	})
	complete(cmd, "output", formats...)
}

// formatList names the formats, those at the end that take a template and stand alone.
func formatList(formats []string) string {
	var files, templates []string
	for _, format := range formats {
		if strings.HasSuffix(format, "=") {
			templates = append(templates, format)
		} else {
			files = append(files, format)
		}
	}
	return strings.Join(files, ", ") + "; or one of these alone: " + strings.Join(templates, ", ")
}

// options describe where standard output goes.
func (f *outputFlags) options(stdout io.Writer) report.Options {
	options := report.Options{ShowAll: f.showAll, NoHeaders: f.noHeaders}
	file, isFile := stdout.(*os.File)
	if !isFile || !term.IsTerminal(int(file.Fd())) {
		return options
	}
	options.Terminal = true
	options.Color = !f.noColor && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	if width, _, err := term.GetSize(int(file.Fd())); err == nil {
		options.Width = width
	}
	return options
}

// remark tells something that is not part of the report.
func (f *outputFlags) remark(stderr io.Writer, format string, args ...any) {
	if !f.quiet {
		fmt.Fprintln(stderr, oneLine(fmt.Sprintf(format, args...)))
	}
}

// conclusion is what a report comes to.
type conclusion struct {
	incomplete, assumptions []inventory.Gap
	unknown                 int // how many outcomes are
	found                   bool
}

// settled says how a run ends whose report is printed.
func (f *outputFlags) settled(c conclusion) error {
	switch {
	case len(c.incomplete) > 0, c.unknown > 0, f.strict && len(c.assumptions) > 0:
		return errIncomplete
	case c.found:
		return errFound
	}
	return nil
}

// complete lets a shell offer the values of a flag.
func complete(cmd *cobra.Command, flag string, values ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag does not exist: a mistake in this package, which every test finds
	}
}
