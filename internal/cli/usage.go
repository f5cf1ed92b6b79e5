package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A command with many flags shows them under headings. A flag's heading is kept in its annotations.
const headingAnnotation = "heading"

// How wide help texts are.
const usageWidth = 110

// addFlags gives a command flags under a heading.
func addFlags(cmd *cobra.Command, heading string, add func(*pflag.FlagSet)) {
	flags := pflag.NewFlagSet(heading, pflag.ContinueOnError)
	flags.SortFlags = false
	cmd.Flags().SortFlags = false
	add(flags)
	flags.VisitAll(func(flag *pflag.Flag) {
		if flag.Annotations == nil {
			flag.Annotations = map[string][]string{}
		}
		flag.Annotations[headingAnnotation] = []string{heading}
	})
	cmd.Flags().AddFlagSet(flags)
}

// usage prints how a command is used, below its description.
func usage(cmd *cobra.Command) error {
	out := cmd.OutOrStderr()
	fmt.Fprintf(out, "Usage:\n  %s\n", useLine(cmd))
	if cmd.HasExample() {
		fmt.Fprintf(out, "\nExamples:\n%s\n", cmd.Example)
	}
	printCommands(out, cmd)
	printFlags(out, cmd)
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(out, "\nUse \"%s COMMAND --help\" for more about a command.\n", cmd.CommandPath())
	}
	return nil
}

func useLine(cmd *cobra.Command) string {
	if cmd.HasAvailableSubCommands() {
		return cmd.CommandPath() + " COMMAND"
	}
	return cmd.UseLine()
}

func printCommands(out io.Writer, cmd *cobra.Command) {
	if !cmd.HasAvailableSubCommands() {
		return
	}
	fmt.Fprintln(out, "\nCommands:")
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			fmt.Fprintf(out, "  %-*s  %s\n", sub.NamePadding(), sub.Name(), sub.Short)
		}
	}
}

// printFlags prints the flags under their headings, in the order in which they were added.
func printFlags(out io.Writer, cmd *cobra.Command) {
	var headings []string
	sets := map[string]*pflag.FlagSet{}
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		heading := headingOf(flag)
		if !slices.Contains(headings, heading) {
			headings = append(headings, heading)
			sets[heading] = pflag.NewFlagSet(heading, pflag.ContinueOnError)
			sets[heading].SortFlags = false
		}
		sets[heading].AddFlag(flag)
	})
	for _, heading := range headings {
		text := strings.TrimRight(sets[heading].FlagUsagesWrapped(usageWidth), "\n")
		fmt.Fprintf(out, "\n%s:\n%s\n", heading, text)
	}
}

func headingOf(flag *pflag.Flag) string {
	if heading := flag.Annotations[headingAnnotation]; len(heading) > 0 {
		return heading[0]
	}
	return "Flags"
}
