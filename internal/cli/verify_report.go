package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/verify"
)

// report prints the report and says how the run ends.
func (o *verifyOptions) report(ctx context.Context, answer *verify.Report, unread []inventory.Gap) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	output := &o.ask.output
	options := output.options(o.ask.streams.Out)
	options.Explain = o.ask.explain
	if err := o.outputs.Write(o.ask.streams.Out, answer, options); err != nil {
		return err
	}
	remarks := remarksBeside(o.outputs, output, o.ask.streams.ErrOut)
	remarks.incomplete(answer.Incomplete, nil)
	switch {
	case len(unread) > 0 && answer.Summary.NotCompared > 0:
		remarks.say("hint: the API server's answers are in the report and hold. What the admission policies are is not known in full, so that the simulation could not be compared with them; that takes someone who may read the policies")
	case len(unread) > 0:
		remarks.say("hint: what the admission policies are is not known in full, so that the simulation can't be certain; verify as someone who may read them")
	case o.guards && answer.Summary.NotAsked > 0:
		remarks.say("hint: guards can be verified as someone who may write: name one with --as-user or --user-group, or ask one question with %q", o.suggestion())
	case answer.Summary.Requests == 0 && len(answer.Incomplete) == 0:
		remarks.say("No objects match what was asked for.")
	}
	return output.settled(conclusion{
		incomplete: answer.Incomplete, assumptions: answer.Assumptions,
		unknown: answer.Summary.NotAsked + answer.Summary.NotCompared, found: answer.Summary.Disagrees > 0,
	})
}

func (o *verifyOptions) suggestion() string { return displayName + " verify as-user NAME" }

// verifyUsage shows a command that does something by itself and has commands, too.
func verifyUsage(cmd *cobra.Command) error {
	if !cmd.HasAvailableSubCommands() {
		return usage(cmd)
	}
	out := cmd.OutOrStderr()
	fmt.Fprintf(out, "Usage:\n  %s\n  %s COMMAND\n\nExamples:\n%s\n", cmd.UseLine(), cmd.CommandPath(), cmd.Example)
	printCommands(out, cmd)
	printFlags(out, cmd)
	fmt.Fprintf(out, "\nUse \"%s COMMAND --help\" for more about a command.\n", cmd.CommandPath())
	return nil
}
