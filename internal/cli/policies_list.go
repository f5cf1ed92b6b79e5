package cli

import (
	"context"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/listing"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/report"
)

// listOptions are what policies list is told.
type listOptions struct {
	streams genericiooptions.IOStreams

	proposed proposedFlags
	state    stateFlags
	output   outputFlags

	outputs report.Outputs[*listing.Report]
}

// newPoliciesListCommand returns policies list; a nil run is the real thing.
func newPoliciesListCommand(streams genericiooptions.IOStreams, run func(context.Context, *listOptions) error) *cobra.Command {
	if run == nil {
		run = func(ctx context.Context, o *listOptions) error { return o.run(ctx) }
	}
	o := &listOptions{streams: streams}
	cmd := &cobra.Command{
		Use:                   "list [-n NAMESPACE] [--from PATH]",
		DisableFlagsInUseLine: true,
		Short:                 "List the policies that guard the annotations: what they cover, whom they let through, and whether they compile",
		Long: `List the admission policies that may be about downscaler/ annotations, each with its bindings and what these do, the namespaces and kinds
that it covers, whom its expressions let through by name, and whether they compile and pass the API server's type checker.
Policies have no namespace: with -n only those are listed that cover this one. --show-all lists the other policies, too.

A policy names whom it lets through by comparing the requester with constants. What it asks in another way is not put into words:
-o wide shows the expression, and "simulate" what becomes of one requester.

Exit code 0: the list is whole. 2: wrong usage, or something could not be read; the list is still printed.`,
		Example: `  # What guards the annotations here, and by which fields
  kubectl downscaler-compliance policies list
  kubectl downscaler-compliance policies list -o wide

  # In one namespace, and what would come with the Helm values
  kubectl downscaler-compliance policies list -n team-a --values values.yaml

  # Whom each policy of some manifests lets through
  kubectl downscaler-compliance policies list --from manifests/ -o jsonpath='{range .policies[*]}{.name}{": "}{.parties.named[*].text}{"\n"}{end}'`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.complete(); err != nil {
				return err
			}
			return run(cmd.Context(), o)
		},
	}
	o.proposed.add(cmd)
	o.output.add(cmd, report.Policies.Names())
	o.state.add(cmd)
	cmd.Flags().Lookup("show-all").Usage = "Show every policy, and all that each of them names"
	cmd.Flags().Lookup("namespace").Usage = "Only policies that cover this namespace"
	cmd.Flags().Lookup("all-namespaces").Usage = "Whatever namespaces they cover, as without it"
	return cmd
}

// complete reads the flags and refuses what contradicts itself, before anything is read.
func (o *listOptions) complete() (err error) {
	if o.outputs, err = report.Policies.ParseOutputs(o.output.formats); err != nil {
		return asUsage(err)
	}
	if err := o.state.validate(); err != nil {
		return err
	}
	if err := o.proposed.validate(); err != nil {
		return err
	}
	if err := checkPaths(o.paths()...); err != nil {
		return err
	}
	return o.state.complete(o.streams.In)
}

// paths are the files to be read.
func (o *listOptions) paths() []pathFlag {
	return append([]pathFlag{{"--from", o.state.from}}, o.proposed.files()...)
}

// run lists and reports.
func (o *listOptions) run(ctx context.Context) error {
	o.output.announceStdin(o.streams.In, o.streams.ErrOut, o.paths()...)
	inv, err := o.state.load(ctx)
	if err != nil {
		return err
	}
	if inv, err = o.proposed.apply(ctx, inv, o.streams.In); err != nil {
		return err
	}
	options := listing.Options{Proposed: o.proposed.policies}
	if o.state.scope.asked {
		if err := o.state.scope.checkNamespace(ctx, inv); err != nil {
			return err
		}
		options.Namespace = o.state.scope.namespace
	}
	answer, err := listing.List(ctx, inv, options)
	if err != nil {
		return err
	}
	return o.report(ctx, &answer, inv)
}

// report prints the list and says how the run ends.
func (o *listOptions) report(ctx context.Context, answer *listing.Report, inv inventory.Inventory) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := o.outputs.Write(o.streams.Out, answer, o.output.options(o.streams.Out)); err != nil {
		return err
	}
	remarks := remarksBeside(o.outputs, &o.output, o.streams.ErrOut)
	remarks.notes(o.proposed.mistakeNotes())
	remarks.notes(o.proposed.valuesNotes(ctx, inv))
	remarks.incomplete(answer.Incomplete, inv.Policies().Unread, o.state.grants(ctx)...)
	return o.output.settled(conclusion{incomplete: answer.Incomplete, assumptions: answer.Assumptions})
}
