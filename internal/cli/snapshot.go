package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/internal/replace"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// snapshotOptions are what the snapshot command is told.
type snapshotOptions struct {
	streams genericiooptions.IOStreams
	state   stateFlags
	to      string
	include []string
	exclude []string
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
workloads, admission policies with their bindings and parameters, RBAC, CustomResourceDefinitions, ConfigMaps and custom
resources, and what the API server serves. It is always that of the whole cluster. Secret values are left out: those of
environment variables, their copies in annotations, and the data of Secrets. Look through it before you hand it on: what somebody
wrote plainly into a ConfigMap or a custom resource stands in it.

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
		flags.StringSliceVar(&o.include, "include", nil, "Hold these `TYPES`, too, such as pods; comma-separated, repeatable")
		flags.StringSliceVar(&o.exclude, "exclude", nil, "Leave these `TYPES` out, such as configmaps; comma-separated, repeatable")
		flags.BoolVar(&o.output.quiet, "quiet", false, "Nothing on standard error but errors that leave no snapshot")
	})
	o.state.add(cmd)
	for _, name := range []string{"namespace", "all-namespaces"} { // a snapshot is of the whole cluster
		cmd.Flags().Lookup(name).Hidden = true
	}
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
	o.output.announceStdin(o.streams.In, o.streams.ErrOut, pathFlag{"--from", o.state.from})
	o.state.progress = o.output.newProgress(o.streams.ErrOut, o.to != "")
	defer o.state.progress.done()
	inv, err := o.state.load(ctx)
	if err != nil {
		return err
	}
	options, err := o.kinds(inv)
	if err != nil {
		return err
	}
	if counted, is := inv.(*reading); is {
		options.Progress = counted.kind
	}
	summary, err := o.write(ctx, inv, options)
	if err != nil {
		return err
	}
	o.state.progress.done()
	o.tell(ctx, summary)
	return o.output.settled(conclusion{incomplete: summary.Incomplete})
}

// kinds finds the kinds that are meant by --include and --exclude.
func (o *snapshotOptions) kinds(inv inventory.Inventory) (options inventory.SnapshotOptions, err error) {
	if options.Kinds, err = resolveTypes(inv, o.include); err != nil {
		return options, err
	}
	options.Without, err = resolveTypes(inv, o.exclude)
	return options, err
}

func resolveTypes(inv inventory.Inventory, types []string) ([]schema.GroupResource, error) {
	var resources []schema.GroupResource
	for _, name := range types {
		kinds, err := resolveType(inv.Kinds(), name)
		if err != nil {
			return nil, err
		}
		for _, kind := range kinds {
			resources = append(resources, kind.Resource.GroupResource())
		}
	}
	return resources, nil
}

func (o *snapshotOptions) write(ctx context.Context, inv inventory.Inventory, options inventory.SnapshotOptions) (summary inventory.SnapshotSummary, err error) {
	if o.to == "" {
		return inventory.Snapshot(ctx, inv, o.streams.Out, options)
	}
	err = replace.File(o.to, replace.Private, func(out io.Writer) (err error) {
		summary, err = inventory.Snapshot(ctx, inv, out, options)
		return err
	})
	if err != nil {
		return summary, fmt.Errorf("--to %s: %w", o.to, err)
	}
	return summary, nil
}

// tell says what is in the file, and names the first few things that could not be read.
func (o *snapshotOptions) tell(ctx context.Context, summary inventory.SnapshotSummary) {
	if o.to != "" {
		o.output.remark(o.streams.ErrOut, "wrote %s: %d objects, of which %d namespaces; %d secret values are left out", o.to, summary.Objects, summary.Namespaces, summary.Redacted)
	}
	defer func() {
		for _, line := range grantWords(o.state.grants(ctx)) {
			o.output.remark(o.streams.ErrOut, "%s", line)
		}
	}()
	const few = 5
	gaps := summary.Incomplete
	for i, gap := range gaps {
		if i == few {
			o.output.remark(o.streams.ErrOut, "incomplete: %d more; the snapshot's last document names them all", len(gaps)-few)
			break
		}
		o.output.remark(o.streams.ErrOut, "incomplete: %s: %s", gap.What, gap.Why)
	}
}
