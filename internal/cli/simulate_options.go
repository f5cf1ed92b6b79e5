package cli

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/report"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// simulateOptions are what the simulate commands are told.
type simulateOptions struct {
	streams genericiooptions.IOStreams

	// Who asks: either the first argument says it, and identify reads it, or ask finds out.
	named    string
	identify func(argument string) (request.Requester, error)
	ask      func(context.Context) (request.Requester, error)
	who      requesterFlags

	selection selection
	change    changeFlags
	manifests manifestFlags
	proposed  proposedFlags
	compare   compareFlags
	state     stateFlags
	output    outputFlags
	explain   bool

	pastAuthorization bool

	spelling spelling

	requester request.Requester
	others    []request.Requester // of a comparison
	outputs   report.Outputs[*simulate.Report]
}

func (o *simulateOptions) addFlags(cmd *cobra.Command) {
	if o.named != "" {
		addFlags(cmd, "Who asks", o.who.add)
	}
	addFlags(cmd, "Who asks", func(flags *pflag.FlagSet) {
		flags.BoolVar(&o.pastAuthorization, "past-authorization", false, "Take every request as authorized: what the policies make of it, whatever rights the requester has")
	})
	addFlags(cmd, "Objects that exist", func(flags *pflag.FlagSet) {
		flags.BoolVar(&o.selection.all, "all", false, "Every object of the types named, or of every kind that the downscaler scales and namespaces")
		o.selection.addSelector(flags)
	})
	o.manifests.add(cmd)
	o.change.add(cmd)
	o.proposed.add(cmd)
	o.compare.add(cmd)
	addFlags(cmd, headingProposed, func(flags *pflag.FlagSet) {
		flags.StringArrayVar(&o.compare.asUsers, "as-user", nil, "With --compare, try as the user of this `NAME`, too; repeatable")
	})
	o.output.add(cmd, report.Simulation.Names())
	o.state.add(cmd)
	addFlags(cmd, "Output", func(flags *pflag.FlagSet) {
		flags.BoolVar(&o.explain, "explain", false, "Say why, step by step and clause by clause")
	})
	complete(cmd, "operation", operations...)
	complete(cmd, "subresource", "status", "scale", "finalize")
	complete(cmd, "via", string(request.ViaApply), string(request.ViaServerSideApply), string(request.ViaReplace), string(request.ViaCreate))
}

// complete reads the arguments and flags.
func (o *simulateOptions) complete(cmd *cobra.Command, args []string) (err error) {
	if o.named != "" {
		if len(args) == 0 {
			return usageErrorf("say who asks: %s is missing", o.named)
		}
		if o.requester, err = o.identify(args[0]); err != nil {
			return err
		}
		args = args[1:]
	}
	if o.selection.targets, err = parseTargets(args); err != nil {
		return err
	}
	o.selection.perObject = o.change.subresource
	if err := o.selection.complete(); err != nil {
		return err
	}
	if err := o.change.complete(); err != nil {
		return err
	}
	if err := o.manifests.complete(); err != nil {
		return err
	}
	switch {
	case len(o.compare.asUsers) > 0 && !o.compare.on:
		return usageErrorf("--as-user names further requesters of a comparison; give --compare, too, or write simulate as-user NAME")
	case o.compare.on && o.explain:
		return usageErrorf("--explain is about one simulation, and --compare shows what differs between two; leave one of them out")
	}
	if o.others, err = o.compare.named(requesterFlags{}); err != nil {
		return err
	}
	if err := o.compare.complete(cmd, &o.proposed, o.output.formats); err != nil || o.compare.on {
		return err
	}
	o.outputs, err = report.Simulation.ParseOutputs(o.output.formats)
	return asUsage(err)
}

// validate refuses what contradicts itself, before anything is read.
func (o *simulateOptions) validate(cmd *cobra.Command) error {
	for _, check := range []func() error{
		o.state.validate,
		o.proposed.validate,
		o.checkObjects,
		func() error { return o.manifests.validate(cmd) },
		func() error { return o.change.validate(o.manifests.given()) },
		func() error { return asUsage(o.outputs.Check(report.Options{Explain: o.explain})) },
		func() error { return checkPaths(o.paths()...) },
	} {
		if err := check(); err != nil {
			return err
		}
	}
	if o.ask != nil && o.state.fromFiles() {
		return usageErrorf("as-me asks the API server who you are, and with --from none is asked; name yourself with as-user and --user-group")
	}
	return o.state.complete(o.streams.In)
}

// checkObjects refuses objects that are named in two ways, or in none.
func (o *simulateOptions) checkObjects() error {
	switch {
	case !o.manifests.given() && o.selection.empty() && o.selection.selector == nil:
		return usageErrorf("say what is changed: TYPE/NAME, TYPE --all, --all, -f FILE or -k DIR")
	case !o.manifests.given():
		return o.selection.validate()
	case !o.selection.empty():
		return usageErrorf("when paths, URLs, or stdin is provided as input, you may not specify a resource by arguments as well, nor --all")
	case o.state.allNamespaces:
		return usageErrorf("--all-namespaces says nothing about the objects of -f or -k; leave it out")
	}
	return nil
}

// paths are the files to be read.
func (o *simulateOptions) paths() []pathFlag {
	paths := append([]pathFlag{{"--from", o.state.from}}, o.proposed.files()...)
	return append(paths, pathFlag{"-f", o.manifests.files}, pathFlag{"-k", o.manifests.kustomizations()})
}
