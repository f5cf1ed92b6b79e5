package cli

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/report"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/verify"
)

// verifyOptions are what the verify commands are told: what a simulation is told, and who tries the guards.
type verifyOptions struct {
	ask     simulateOptions
	guards  bool // the guard probes of the objects, not a change
	asUser  string
	outputs report.Outputs[*verify.Report]
}

func newVerifyOptions(streams genericiooptions.IOStreams) *verifyOptions {
	o := &verifyOptions{}
	o.ask.streams = streams
	return o
}

// command gives one of the verify commands the flags that all have, and what it runs.
func (o *verifyOptions) command(run verifyRun, cmd *cobra.Command) *cobra.Command {
	if run == nil {
		run = func(ctx context.Context, o *verifyOptions) error { return o.run(ctx) }
	}
	cmd.DisableFlagsInUseLine = true
	o.ask.output.add(cmd, report.Verify.Names())
	addFlags(cmd, "Output", func(flags *pflag.FlagSet) {
		flags.BoolVar(&o.ask.explain, "explain", false, "Say why the simulation says what the API server doesn't, step by step and clause by clause")
	})
	o.ask.state.add(cmd)
	notAsked.add(cmd)
	if o.guards {
		noChange.add(cmd)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.complete(cmd, args); err != nil {
			return err
		}
		if err := o.validate(cmd); err != nil {
			return err
		}
		return run(cmd.Context(), o)
	}
	return cmd
}

func (o *verifyOptions) addGuardFlags(cmd *cobra.Command) {
	addFlags(cmd, headingState, o.ask.selection.addSelector)
	addFlags(cmd, "Who tries the guards", func(flags *pflag.FlagSet) {
		flags.StringVar(&o.asUser, "as-user", "", "Try them as the user of this `NAME`, not as an ordinary one")
		o.ask.who.add(flags)
	})
}

// complete reads the arguments and flags.
func (o *verifyOptions) complete(cmd *cobra.Command, args []string) (err error) {
	if err := notAsked.check(cmd); err != nil {
		return err
	}
	if o.guards {
		if len(args) > 0 && strings.HasPrefix(args[0], "as-") {
			return usageErrorf("unknown command %q for %q; there are as-user, as-serviceaccount and as-me", args[0], cmd.CommandPath())
		}
		if err := noChange.check(cmd); err != nil {
			return err
		}
	}
	if err := o.ask.complete(cmd, args); err != nil {
		return err
	}
	if o.outputs, err = report.Verify.ParseOutputs(o.ask.output.formats); err != nil {
		return asUsage(err)
	}
	if !o.guards {
		return nil
	}
	return o.completeGuards(cmd)
}

// completeGuards finds out who tries the guards, of which objects.
func (o *verifyOptions) completeGuards(cmd *cobra.Command) (err error) {
	if cmd.Flags().Changed("as-user") && o.asUser == "" {
		return usageErrorf("--as-user names no user")
	}
	name := cmp.Or(o.asUser, audit.OrdinaryUser().Username)
	if o.ask.requester, err = o.ask.who.userArgument(name); err != nil {
		return err
	}
	o.ask.selection.all = len(o.ask.selection.targets.named) == 0
	return nil
}

// validate refuses what contradicts itself, before anything is read.
func (o *verifyOptions) validate(cmd *cobra.Command) error {
	if err := asUsage(o.outputs.Check(report.Options{Explain: o.ask.explain})); err != nil {
		return err
	}
	if !o.guards {
		return o.ask.validate(cmd)
	}
	if err := o.ask.state.validate(); err != nil {
		return err
	}
	if err := o.ask.selection.validate(); err != nil {
		return err
	}
	return o.ask.state.complete(o.ask.streams.In)
}
