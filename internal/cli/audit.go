package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/compare"
)

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
