package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/compare"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/report"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// auditOptions are what the audit command is told.
type auditOptions struct {
	streams genericiooptions.IOStreams

	who       requesterFlags
	selection selection
	proposed  proposedFlags
	compare   compareFlags
	state     stateFlags
	output    outputFlags
	rules     ruleFlags
	baseline  baselineFlags
	scaled    []string

	requesters []request.Requester // one at most, unless they are compared
	outputs    report.Outputs[*audit.Report]
	evidence   []string // flags with which a command finds the same state
}

// newAuditCommand returns the audit command; a nil run is the real thing.
func newAuditCommand(streams genericiooptions.IOStreams, run func(context.Context, *auditOptions) error) *cobra.Command {
	if run == nil {
		run = func(ctx context.Context, o *auditOptions) error { return o.run(ctx) }
	}
	o := &auditOptions{streams: streams}
	cmd := &cobra.Command{
		Use:                   "audit [-A | -n NAMESPACE | --from PATH]",
		DisableFlagsInUseLine: true,
		Short:                 "Show how well the annotations are guarded, and what is wrong with the guard",
		Long: `Show which workloads and namespaces carry downscaler/ annotations, how well each of them is guarded
against adding, editing and removing one, and what is wrong with the guard. An ordinary user tries it all: one with no group
but system:authenticated. Nothing is written.

With --compare it shows instead what proposed policies would change, and for whom: what is newly blocked, stripped or allowed.

Exit code 0: no finding at or above --fail-on, or no change. 1: there is one. 2: wrong usage, or something asked for could
not be looked at; the report is still printed.`,
		Example: `  # The whole cluster
  kubectl downscaler-compliance audit -A

  # One namespace, with what a developer gets away with
  kubectl downscaler-compliance audit -n team-a --as-user dev --user-group developers

  # Manifests, before they are applied
  kubectl downscaler-compliance audit --from manifests/ -o json

  # Only what is not known yet fails a pipeline
  kubectl downscaler-compliance audit -A --write-baseline known.yaml
  kubectl downscaler-compliance audit -A --baseline known.yaml -o table -o sarif=audit.sarif

  # What does a finding mean?
  kubectl downscaler-compliance audit --explain-rule subresource-not-covered

  # What would a guard change, for everybody who may write the objects?
  kubectl downscaler-compliance audit -A --policies guard.yaml --compare --requesters live`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("explain-rule") {
				return o.rules.printPage(cmd, streams.Out)
			}
			if err := o.complete(cmd); err != nil {
				return err
			}
			if err := o.validate(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), o)
		},
	}
	o.addFlags(cmd)
	return cmd
}

func (o *auditOptions) addFlags(cmd *cobra.Command) {
	addFlags(cmd, headingState, o.selection.addSelector)
	addFlags(cmd, headingState, func(flags *pflag.FlagSet) {
		flags.StringSliceVar(&o.scaled, "include-resources", nil, "The kinds that the downscaler scales, as its flag of the same name takes them (default: those of --values, else of its own arguments where it is found, else every kind that it can)")
	})
	addFlags(cmd, "Who tries the guards", func(flags *pflag.FlagSet) {
		flags.StringArrayVar(&o.compare.asUsers, "as-user", nil, "Try them as the user of this `NAME`, not as an ordinary one; repeatable with --compare")
		o.who.add(flags)
	})
	o.proposed.add(cmd)
	o.compare.add(cmd)
	o.rules.add(cmd)
	o.baseline.add(cmd)
	o.output.add(cmd, report.Audit.Names())
	o.state.add(cmd)
	complete(cmd, "include-resources", scalable()...)
}

// complete reads the flags.
func (o *auditOptions) complete(cmd *cobra.Command) (err error) {
	if err := o.selection.complete(); err != nil {
		return err
	}
	if o.requesters, err = o.compare.named(o.who); err != nil {
		return err
	}
	for _, id := range o.scaled {
		if !slices.ContainsFunc(downscaler.Kinds(), func(kind downscaler.Kind) bool { return strings.EqualFold(kind.ID, id) }) {
			return usageErrorf("--include-resources %s: the downscaler scales nothing of that name; it takes %s", id, strings.Join(scalable(), ", "))
		}
	}
	switch {
	case len(o.requesters) == 0 && o.who.given():
		return usageErrorf("--user-group, --user-uid and --user-extra are about the user of --as-user; give that, too")
	case len(o.requesters) > 1 && !o.compare.on:
		return usageErrorf("an audit tries the guards as one user; give one --as-user, or --compare")
	}
	for _, name := range findingFlagNames {
		if o.compare.on && cmd.Flags().Changed(name) {
			return usageErrorf("--%s is about findings, and --compare shows changes instead; leave one of the two out", name)
		}
	}
	if err := o.compare.complete(cmd, &o.proposed, o.output.formats); err != nil || o.compare.on {
		return err
	}
	o.evidence = stateArguments(cmd)
	o.outputs, err = report.Audit.ParseOutputs(o.output.formats)
	return asUsage(err)
}

// validate refuses what contradicts itself, before anything is read.
func (o *auditOptions) validate(cmd *cobra.Command) error {
	if err := o.rules.validate(); err != nil {
		return err
	}
	if err := o.baseline.validate(cmd); err != nil {
		return err
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
func (o *auditOptions) paths() []pathFlag {
	return append([]pathFlag{{"--from", o.state.from}, {"--baseline", o.baseline.paths()}}, o.proposed.files()...)
}

// run audits and reports.
func (o *auditOptions) run(ctx context.Context) error {
	o.output.announceStdin(o.streams.In, o.streams.ErrOut, o.paths()...)
	o.state.progress = o.output.newProgress(o.streams.ErrOut, forPeople(o.outputs) || forPeople(o.compare.outputs))
	defer o.state.progress.done()
	if o.compare.on {
		return o.runComparison(ctx)
	}
	if err := o.baseline.read(o.streams.In, audit.ScopeOf(o.query())); err != nil {
		return err
	}
	simulator, err := newSimulator(ctx, &o.state, &o.proposed, nil)
	if err != nil {
		return err
	}
	if err := o.state.scope.checkNamespace(ctx, simulator.Inventory()); err != nil {
		return err
	}
	options := audit.Options{
		Query: o.query(), Rules: o.rules.chosen(), Now: time.Now(), Scaled: o.scaled,
		Flags: o.evidence, Values: o.proposed.values.file, Mistakes: o.proposed.mistakes,
	}
	if len(options.Scaled) == 0 {
		options.Scaled = o.proposed.scaled()
	}
	if len(o.requesters) > 0 {
		options.Requester = o.requesters[0]
	}
	answer, err := audit.Run(ctx, simulator, options)
	if err != nil {
		return err
	}
	o.state.progress.done()
	return o.report(ctx, &answer, simulator)
}

func (o *auditOptions) query() inventory.Query {
	return inventory.Query{Namespace: o.state.scope.namespace, Selector: o.selection.selector}
}

// runComparison compares the guards of today and tomorrow.
func (o *auditOptions) runComparison(ctx context.Context) error {
	run, err := newComparison(ctx, &o.state, &o.proposed, nil)
	if err != nil {
		return err
	}
	if err := o.state.scope.checkNamespace(ctx, run.today.Inventory()); err != nil {
		return err
	}
	answer, err := compare.Guards(ctx, run.today, run.tomorrow, o.query(), o.compare.options(o.requesters...))
	if err != nil {
		return err
	}
	o.state.progress.done()
	return o.compare.report(ctx, o.streams, &answer, &o.output, run)
}

// scalable are the ids of the kinds that the downscaler can scale.
func scalable() []string {
	var ids []string
	for _, kind := range downscaler.Kinds() {
		ids = append(ids, kind.ID)
	}
	return ids
}
