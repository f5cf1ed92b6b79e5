package cli

import (
	"context"
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
	if err := o.outputs.Write(o.streams.Out, answer, options); err != nil {
		return err
	}
	if err := o.baseline.write(); err != nil {
		return err
	}
	remarks := remarksBeside(o.outputs, &o.output, o.streams.ErrOut)
	remarks.notes(o.baseline.note(answer))
	remarks.notes(o.proposed.valuesNotes(ctx, simulator.Inventory()))
	remarks.incomplete(answer.Incomplete, simulator.Policies().Unread, o.state.missingRights()...)
	if answer.Summary.Objects == 0 && len(answer.Incomplete) == 0 {
		remarks.say("No objects match what was asked for.")
	}
	return o.output.settled(conclusion{
		incomplete: answer.Incomplete, assumptions: answer.Assumptions,
		unknown: answer.Summary.Guarded.Unknown, found: o.fails(answer.Findings),
	})
}

// fails says whether there is a finding at or above --fail-on.
func (o *auditOptions) fails(findings []audit.Finding) bool {
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
