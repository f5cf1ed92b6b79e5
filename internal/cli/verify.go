package cli

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// verifyExits is the part of every help text of verify about how it ends.
const verifyExits = `Exit code 0: the API server says the same. 1: it says something else; both sides are shown. 2: wrong usage, or something
could not be asked or compared; the report is still printed.`

// newVerifyCommand returns the verify command, which puts the guard probes by itself; a nil run is the real thing.
func newVerifyCommand(streams genericiooptions.IOStreams, run verifyRun) *cobra.Command {
	o := newVerifyOptions(streams)
	cmd := &cobra.Command{
		Use:   "verify [-A | -n NAMESPACE] [TYPE/NAME | TYPE NAME... | TYPE]",
		Short: "Put the same questions to the API server, by dry run, and compare",
		Long: `Put the same questions to the API server itself, by dry run and in the requester's name, and compare its answers with the
simulated ones: verdict, status, warnings and stored annotations. Nothing is written.

Without a command it asks what audit asks: it creates each object with an annotation, adds one, and edits and removes those that
the object carries, as an ordinary user. Only one who may write gets past authorization: give the ordinary user
rights on a test cluster, or name someone who has them with --as-user or --user-group.

It takes the right to impersonate the requester (the verb impersonate on users, groups, serviceaccounts, userextras).

` + verifyExits,
		Example: `  # Does the API server guard every object as simulated, when a developer tries?
  kubectl downscaler-compliance verify -A --as-user dev --user-group developers

  # One question
  kubectl downscaler-compliance verify as-user dev deploy/web -n team-a --set exclude=true`,
		Args: cobra.ArbitraryArgs,
	}
	o.guards = true
	o.addGuardFlags(cmd)
	o.command(run, cmd)
	cmd.AddCommand(
		newVerifyAsUserCommand(streams, nil),
		newVerifyAsServiceAccountCommand(streams, nil),
		newVerifyAsMeCommand(streams, nil),
	)
	cmd.SetUsageFunc(verifyUsage)
	return cmd
}

// verifyRun is what a verify command runs; nil stands for the real thing.
type verifyRun func(context.Context, *verifyOptions) error

func newVerifyAsUserCommand(streams genericiooptions.IOStreams, run verifyRun) *cobra.Command {
	o := newVerifyOptions(streams)
	o.ask.named, o.ask.identify = "NAME", o.ask.who.userArgument
	return o.changeCommand(run, &cobra.Command{
		Use:   "as-user NAME [TYPE/NAME | TYPE NAME... | TYPE --all | -f FILE]",
		Short: "Verify a change by a user, with the groups that the API server adds",
		Example: `  # Would the API server stop dev as simulated?
  kubectl downscaler-compliance verify as-user dev deploy/web -n team-a --set exclude=true

  # And everything that kubectl apply would send of these files?
  kubectl downscaler-compliance verify as-user dev --user-group developers -f deploy/ -n team-a`,
	})
}

func newVerifyAsServiceAccountCommand(streams genericiooptions.IOStreams, run verifyRun) *cobra.Command {
	o := newVerifyOptions(streams)
	o.ask.named, o.ask.identify = "NAMESPACE:NAME", o.ask.who.serviceAccountArgument
	return o.changeCommand(run, &cobra.Command{
		Use:     "as-serviceaccount NAMESPACE:NAME [TYPE/NAME | TYPE NAME... | TYPE --all | -f FILE]",
		Aliases: []string{"as-sa"},
		Short:   "Verify a change by a service account, with the groups that the API server gives it",
		Example: `  # Does the pipeline of team-a get what is simulated?
  kubectl downscaler-compliance verify as-serviceaccount team-a:deployer deploy --all -n team-a --set exclude=true`,
	})
}

func newVerifyAsMeCommand(streams genericiooptions.IOStreams, run verifyRun) *cobra.Command {
	o := newVerifyOptions(streams)
	o.ask.ask = func(ctx context.Context) (request.Requester, error) {
		config, err := o.ask.state.cluster.config()
		if err != nil {
			return request.Requester{}, err
		}
		return whoami(ctx, config)
	}
	return o.changeCommand(run, &cobra.Command{
		Use:   "as-me [TYPE/NAME | TYPE NAME... | TYPE --all | -f FILE]",
		Short: "Verify a change by whoever the kubeconfig authenticates as; nobody is impersonated",
		Example: `  # Would the API server let me, as simulated?
  kubectl downscaler-compliance verify as-me deploy/web --set exclude=true`,
	})
}

// changeCommand gives one of the commands that name a change its flags and texts.
func (o *verifyOptions) changeCommand(run verifyRun, cmd *cobra.Command) *cobra.Command {
	cmd.Long = cmd.Short + `.

The API server is asked by a dry run what is simulated, and the answers are compared: verdict, status, warnings and stored annotations.
Nothing is written.

` + verifyExits
	if o.ask.named != "" {
		addFlags(cmd, "Who asks", o.ask.who.add)
	}
	addFlags(cmd, "Objects that exist", func(flags *pflag.FlagSet) {
		flags.BoolVar(&o.ask.selection.all, "all", false, "Every object of the types named, or of every kind that the downscaler scales and namespaces")
		o.ask.selection.addSelector(flags)
	})
	o.ask.manifests.add(cmd)
	o.ask.change.add(cmd)
	complete(cmd, "operation", operations...)
	complete(cmd, "subresource", "status", "scale", "finalize")
	complete(cmd, "via", string(request.ViaApply), string(request.ViaServerSideApply), string(request.ViaReplace), string(request.ViaCreate))
	return o.command(run, cmd)
}
