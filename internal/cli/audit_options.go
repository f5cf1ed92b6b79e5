package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
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

func (o *auditOptions) query() inventory.Query {
	return inventory.Query{Namespace: o.state.scope.namespace, Selector: o.selection.selector}
}

// scalable are the ids of the kinds that the downscaler can scale.
func scalable() []string {
	var ids []string
	for _, kind := range downscaler.Kinds() {
		ids = append(ids, kind.ID)
	}
	return ids
}
