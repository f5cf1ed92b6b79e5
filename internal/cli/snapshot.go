package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// snapshotOptions are what the snapshot command is told.
type snapshotOptions struct {
	streams genericiooptions.IOStreams
	state   stateFlags
	to      string
	output  outputFlags // of which only quiet is used
}

// newSnapshotCommand returns the snapshot command; a nil run is the real thing.
func newSnapshotCommand(streams genericiooptions.IOStreams, run func(context.Context, *snapshotOptions) error) *cobra.Command {
	if run == nil {
		run = func(ctx context.Context, o *snapshotOptions) error { return o.run(ctx) }
	}
	o := &snapshotOptions{streams: streams}
	cmd := &cobra.Command{
		Use:                   "snapshot [--to FILE]",
		DisableFlagsInUseLine: true,
		Short:                 "Save the state that audit and simulate need, to be used with --from",
		Long: `Save the state that audit and simulate need as manifests, to be used with --from: namespaces and
workloads, admission policies with their bindings and parameters, RBAC, CustomResourceDefinitions, and what the API server
serves. It is always that of the whole cluster. Secret values are left out: those of environment variables, their copies in
last-applied annotations, and the data of Secrets.

Exit code 0: the snapshot is whole. 2: wrong usage, or something could not be read; the snapshot is still written and says so.`,
		Example: `  # Save it
  kubectl downscaler-compliance snapshot --to cluster.yaml

  # Ask it later, on another machine
  kubectl downscaler-compliance audit --from cluster.yaml`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.validate(); err != nil {
				return err
			}
			return run(cmd.Context(), o)
		},
	}
	addFlags(cmd, "Output", func(flags *pflag.FlagSet) {
		flags.StringVar(&o.to, "to", "", "Write to this `FILE`, once the snapshot is whole, not to standard output")
		flags.BoolVar(&o.output.quiet, "quiet", false, "Nothing on standard error but errors that leave no snapshot")
	})
	o.state.add(cmd)
	return cmd
}

func (o *snapshotOptions) validate() error {
	if err := o.state.validate(); err != nil {
		return err
	}
	if *o.state.cluster.Namespace != "" {
		return usageErrorf("a snapshot is of the whole cluster, since policies and rights are; leave --namespace out")
	}
	if o.to == standardInput {
		o.to = ""
	}
	if err := checkPaths(pathFlag{"--from", o.state.from}); err != nil {
		return err
	}
	return o.state.complete(o.streams.In)
}

// run reads the state and writes it.
func (o *snapshotOptions) run(ctx context.Context) error {
	inv, err := o.state.load(ctx)
	if err != nil {
		return err
	}
	gaps, err := o.write(ctx, inv)
	if err != nil {
		return err
	}
	o.tell(gaps)
	return o.output.settled(conclusion{incomplete: gaps})
}

func (o *snapshotOptions) write(ctx context.Context, inv inventory.Inventory) ([]inventory.Gap, error) {
	if o.to == "" {
		return inventory.Snapshot(ctx, inv, o.streams.Out, inventory.SnapshotOptions{})
	}
	var gaps []inventory.Gap
	err := replaceFile(o.to, func(out io.Writer) (err error) {
		gaps, err = inventory.Snapshot(ctx, inv, out, inventory.SnapshotOptions{})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("--to %s: %w", o.to, err)
	}
	return gaps, nil
}

// tell names the first few things that could not be read.
func (o *snapshotOptions) tell(gaps []inventory.Gap) {
	const few = 5
	for i, gap := range gaps {
		if i == few {
			o.output.remark(o.streams.ErrOut, "incomplete: %d more; the snapshot's last document names them all", len(gaps)-few)
			break
		}
		o.output.remark(o.streams.ErrOut, "incomplete: %s: %s", gap.What, gap.Why)
	}
}
