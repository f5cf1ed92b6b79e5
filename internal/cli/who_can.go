package cli

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/report"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/whocan"
)

// whoCanOptions are what the who-can command is told.
type whoCanOptions struct {
	streams genericiooptions.IOStreams

	asked     whocan.Asked
	selection selection
	proposed  proposedFlags
	state     stateFlags
	output    outputFlags

	outputs report.Outputs[*whocan.Report]
}

// newWhoCanCommand returns the who-can command; a nil run is the real thing.
func newWhoCanCommand(streams genericiooptions.IOStreams, run func(context.Context, *whoCanOptions) error) *cobra.Command {
	if run == nil {
		run = func(ctx context.Context, o *whoCanOptions) error { return o.run(ctx) }
	}
	o := &whoCanOptions{streams: streams}
	cmd := &cobra.Command{
		Use:                   "who-can [set | edit | remove] [KEY] [TYPE/NAME | TYPE NAME... | TYPE --all | -A]",
		DisableFlagsInUseLine: true,
		Short:                 "Show who can change an annotation: directly, by acting as someone else, or by changing the guard",
		Long: `Show who can change an annotation of objects that exist: the users, groups and service accounts that roles and bindings
let write the object and that the policies let through; those who can act as one of them, by impersonation, by a token or a pod of
a service account; those who may change the policies that stop them; and who is stopped. Nothing is written.

Without arguments: who can set downscaler/exclude on the guarded objects of the current namespace.

Exit code 0: everything was looked at. 2: wrong usage, or something asked for could not be looked at; the report is still printed.`,
		Example: `  # Who gets an exclusion past the guard, anywhere?
  kubectl downscaler-compliance who-can set exclude -A

  # Who can take the downtime off this Deployment, and by which rights?
  kubectl downscaler-compliance who-can remove downtime deploy/web -n team-a -o wide

  # The same with a guard that is only proposed
  kubectl downscaler-compliance who-can remove downtime deploy/web -n team-a --policies guard.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.complete(args); err != nil {
				return err
			}
			if err := o.validate(); err != nil {
				return err
			}
			return run(cmd.Context(), o)
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return completeAsked(args), cobra.ShellCompDirectiveNoFileComp
		},
	}
	addFlags(cmd, "Objects that exist", func(flags *pflag.FlagSet) {
		flags.BoolVar(&o.selection.all, "all", false, "Every object of the types named, or of every kind that the downscaler scales and namespaces")
		o.selection.addSelector(flags)
	})
	o.proposed.add(cmd)
	o.output.add(cmd, report.WhoCan.Names())
	o.state.add(cmd)
	return cmd
}

// complete reads the arguments and flags.
func (o *whoCanOptions) complete(args []string) (err error) {
	if o.asked, args, err = parseAsked(args); err != nil {
		return err
	}
	if o.selection.targets, err = parseTargets(args); err != nil {
		return err
	}
	if err := o.selection.complete(); err != nil {
		return err
	}
	o.outputs, err = report.WhoCan.ParseOutputs(o.output.formats)
	return asUsage(err)
}

// validate refuses what contradicts itself, before anything is read. Without a choice of objects they are all that are guarded.
func (o *whoCanOptions) validate() error {
	if o.selection.empty() {
		o.selection.all = true
	}
	for _, check := range []func() error{
		o.selection.validate,
		o.state.validate,
		o.proposed.validate,
		func() error { return checkPaths(o.paths()...) },
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return o.state.complete(o.streams.In)
}

// paths are the files to be read.
func (o *whoCanOptions) paths() []pathFlag {
	return append([]pathFlag{{"--from", o.state.from}}, o.proposed.files()...)
}

// run asks and reports.
func (o *whoCanOptions) run(ctx context.Context) error {
	o.output.announceStdin(o.streams.In, o.streams.ErrOut, o.paths()...)
	simulator, err := newSimulator(ctx, &o.state, &o.proposed, nil)
	if err != nil {
		return err
	}
	found, err := o.selection.find(ctx, simulator.Inventory(), &o.state)
	if err != nil {
		return err
	}
	var gaps []inventory.Gap
	seen := spelling{change: request.Change{Remove: []string{o.asked.Key}}}
	answer, err := whocan.Run(ctx, simulator, func(yield func(inventory.Object) bool) {
		for object, err := range found {
			if err != nil {
				gaps = append(gaps, gapOf(err))
				continue
			}
			seen.see(object.Kind, object.Meta())
			if !yield(object) {
				return
			}
		}
	}, o.asked)
	if err != nil {
		return err
	}
	answer.Incomplete = simulate.AddGaps(answer.Incomplete, gaps)
	if answer.Summary.Objects == 0 && len(answer.Incomplete) == 0 && !o.selection.all {
		return o.selection.nothing(o.state.scope)
	}
	return o.report(ctx, &answer, simulator, askedNotes(o.asked, &seen))
}

// report prints the report and says how the run ends.
func (o *whoCanOptions) report(ctx context.Context, answer *whocan.Report, simulator *simulate.Simulator, asked []string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := o.outputs.Write(o.streams.Out, answer, o.output.options(o.streams.Out)); err != nil {
		return err
	}
	remarks := remarksBeside(o.outputs, &o.output, o.streams.ErrOut)
	remarks.notes(asked)
	if o.proposed.policies != nil {
		notes, err := o.proposed.notes(ctx, simulator.Inventory())
		if err != nil {
			return err
		}
		remarks.notes(notes)
	}
	remarks.incomplete(answer.Incomplete, simulator.Policies().Unread, o.state.grants(ctx)...)
	if answer.Summary.Objects == 0 && len(answer.Incomplete) == 0 {
		remarks.say("No objects match what was asked for.")
	}
	return o.output.settled(conclusion{incomplete: answer.Incomplete, assumptions: answer.Assumptions, unknown: len(answer.Summary.Unknown)})
}
