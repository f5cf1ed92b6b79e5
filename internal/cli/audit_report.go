package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// report prints the report and says how the run ends.
func (o *auditOptions) report(ctx context.Context, answer *audit.Report, simulator *simulate.Simulator) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := o.baseline.apply(answer); err != nil {
		return err
	}
	if o.rules.severity != "" {
		answer.Hide(audit.Severity(o.rules.severity))
	}
	options := o.output.options(o.streams.Out)
	options.FailOn = o.rules.limit()
	options.Version = thisVersion().Version
	options.FindingsOnly = len(o.rules.only) > 0 || o.rules.severity != "" || o.baseline.from != ""
	if err := o.outputs.Write(o.streams.Out, answer, options); err != nil {
		return err
	}
	if err := o.baseline.write(); err != nil {
		return err
	}
	remarks := remarksBeside(o.outputs, &o.output, o.streams.ErrOut)
	remarks.notes(o.baseline.notes(answer))
	if o.accepts() && o.grave(answer.Findings) {
		remarks.notes([]string{fmt.Sprintf("%[1]s has what is found, so it does not fail this run; with --baseline %[1]s it is known from now on", o.baseline.to)})
	}
	remarks.notes(o.proposed.valuesNotes(ctx, simulator.Inventory()))
	remarks.incomplete(answer.Incomplete, simulator.Policies().Unread, o.state.grants(ctx)...)
	if answer.Summary.Objects == 0 && len(answer.Incomplete) == 0 {
		remarks.say("No objects match what was asked for.")
	}
	return o.output.settled(conclusion{
		incomplete: answer.Incomplete, assumptions: answer.Assumptions,
		unknown: answer.Summary.Guarded.Unknown, found: o.fails(answer.Findings),
	})
}

// fails says whether there is a finding at or above --fail-on, and they are not accepted.
func (o *auditOptions) fails(findings []audit.Finding) bool {
	return !o.accepts() && o.grave(findings)
}

// accepts says whether a run fails by no finding, because it writes a baseline; --fail-on makes it fail nevertheless.
func (o *auditOptions) accepts() bool { return o.baseline.to != "" && o.rules.failOn == "" }

func (o *auditOptions) grave(findings []audit.Finding) bool {
	return slices.ContainsFunc(findings, func(finding audit.Finding) bool { return finding.Severity.AtLeast(o.rules.limit()) })
}

// stateFlagNames are the flags that make another command see the same state. Credentials are not among them:
// they don't belong into a report.
var stateFlagNames = []string{"from", "kube-version", "policies", "values", "release-name", "release-namespace", "only-proposed", "kubeconfig", "context", "cluster", "user", "server"}

// stateArguments are those of these flags that were given, as arguments.
func stateArguments(cmd *cobra.Command) []string {
	var arguments []string
	for _, name := range stateFlagNames {
		flag := cmd.Flags().Lookup(name)
		if flag == nil || !flag.Changed {
			continue
		}
		list, isList := flag.Value.(pflag.SliceValue)
		switch {
		case isList:
			for _, value := range list.GetSlice() {
				arguments = append(arguments, "--"+name, value)
			}
		case flag.Value.Type() == "bool":
			arguments = append(arguments, "--"+name)
		default:
			arguments = append(arguments, "--"+name, flag.Value.String())
		}
	}
	return arguments
}
