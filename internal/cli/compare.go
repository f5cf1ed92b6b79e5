package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/compare"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/report"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// live is the value of --requesters that means every subject of the roles and bindings.
const live = "live"

// compareFlags ask for what proposed policies would change.
type compareFlags struct {
	on         bool
	requesters string
	asUsers    []string // besides whom the command is about

	outputs report.Outputs[*compare.Report]
}

func (f *compareFlags) add(cmd *cobra.Command) {
	addFlags(cmd, headingProposed, func(flags *pflag.FlagSet) {
		flags.BoolVar(&f.on, "compare", false, "Show only what the proposed policies would change: today beside tomorrow")
		flags.StringVar(&f.requesters, "requesters", "", "With --compare, try as others, too: `live`, every subject that roles and bindings let write the objects")
	})
	complete(cmd, "requesters", live)
}

// complete reads the formats, which are those of comparisons.
func (f *compareFlags) complete(cmd *cobra.Command, proposed *proposedFlags, formats []string) (err error) {
	switch {
	case !f.on && cmd.Flags().Changed("requesters"):
		return usageErrorf("--requesters is about a comparison; give --compare, too")
	case !f.on:
		return nil
	case !proposed.given():
		return usageErrorf("--compare shows what proposed policies would change; name them with --policies or --values")
	case cmd.Flags().Changed("requesters") && f.requesters != live:
		return usageErrorf("--requesters %s: there is no such choice; give live, or name requesters with --as-user", f.requesters)
	}
	f.outputs, err = report.Comparison.ParseOutputs(formats)
	return asUsage(err)
}

// options are those of the comparison, besides whom the command itself is about.
func (f *compareFlags) options(more ...request.Requester) compare.Options {
	options := compare.Options{Live: f.requesters == live}
	for _, r := range more {
		options.Requesters = append(options.Requesters, compare.Named(r))
	}
	return options
}

// named are the users of --as-user. What else the flags say of the requester holds for each.
func (f *compareFlags) named(who requesterFlags) ([]request.Requester, error) {
	var all []request.Requester
	for _, name := range f.asUsers {
		if name == "" {
			return nil, usageErrorf("--as-user names no user")
		}
		r, err := who.userArgument(name)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// comparison is the same state with the policies in force and with those proposed.
type comparison struct {
	state           *stateFlags
	proposed        *proposedFlags
	authorizer      *authorization.Authorizer
	today, tomorrow *simulate.Simulator
}

// newComparison reads the state once. self is whom the kubeconfig authenticates as, nil where that is not known.
func newComparison(ctx context.Context, state *stateFlags, proposed *proposedFlags, self user.Info) (c comparison, err error) {
	c = comparison{state: state, proposed: proposed}
	inv, err := state.load(ctx)
	if err != nil {
		return c, err
	}
	with, err := proposed.apply(ctx, inv, state.stdin)
	if err != nil {
		return c, err
	}
	if c.authorizer, err = state.authorizer(inv, self); err != nil {
		return c, err
	}
	if c.today, err = simulate.NewWithAuthorizer(ctx, inv, inv.Policies(), c.authorizer); err != nil {
		return c, err
	}
	c.tomorrow, err = simulate.NewWithAuthorizer(ctx, with, with.Policies(), c.authorizer)
	return c, err
}

// report prints what was found and says how the run ends. The notes are about the policies proposed.
func (f *compareFlags) report(ctx context.Context, streams genericiooptions.IOStreams, answer *compare.Report, output *outputFlags, run comparison) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := f.outputs.Write(streams.Out, answer, output.options(streams.Out)); err != nil {
		return err
	}
	remarks := remarksBeside(f.outputs, output, streams.ErrOut)
	notes, err := run.proposed.notes(ctx, run.tomorrow.Inventory())
	if err != nil {
		return err
	}
	remarks.notes(notes)
	remarks.incomplete(answer.Incomplete, run.unread(), run.state.grants(ctx)...)
	if answer.Summary.Objects == 0 && len(answer.Incomplete) == 0 {
		remarks.say("No objects match what was asked for.")
	}
	return output.settled(conclusion{
		incomplete: answer.Incomplete, assumptions: answer.Assumptions,
		unknown: answer.Summary.Unknown, found: answer.Summary.Changed > 0,
	})
}

// unread are the policies of either side that could not be read.
func (c comparison) unread() []inventory.Gap {
	return simulate.AddGaps(slices.Clone(c.today.Policies().Unread), c.tomorrow.Policies().Unread)
}
