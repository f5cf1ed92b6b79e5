package cli

import (
	"context"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

func newSimulateCommand(streams genericiooptions.IOStreams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "simulate",
		Short: "Show what the API server would do if someone made a change now",
		Long: `Show what the API server would do if someone made a change now: who would be stopped, what would be
stored, and which policy, binding and condition makes it so. Nothing is sent.`,
		Example: `  # May dev exclude a Deployment from downscaling?
  kubectl downscaler-compliance simulate as-user dev deploy/web -n team-a --set exclude=true

  # Would my own kubectl apply pass, and if not, why?
  kubectl downscaler-compliance simulate as-me -f deploy/ --explain`,
		Args: cobra.ArbitraryArgs,
		// So that a forgotten as-user is told before the flags that belong to it.
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageErrorf("%q does not say who asks; write as-user NAME, as-serviceaccount NAMESPACE:NAME or as-me", args[0])
			}
			return usageErrorf("say who asks: as-user NAME, as-serviceaccount NAMESPACE:NAME or as-me")
		},
	}
	cmd.AddCommand(
		newSimulateAsUserCommand(streams, nil),
		newSimulateAsServiceAccountCommand(streams, nil),
		newSimulateAsMeCommand(streams, nil),
	)
	return cmd
}

// simulateRun is what a simulate command runs; nil stands for the real thing.
type simulateRun func(context.Context, *simulateOptions) error

func newSimulateAsUserCommand(streams genericiooptions.IOStreams, run simulateRun) *cobra.Command {
	o := &simulateOptions{streams: streams, named: "NAME"}
	o.identify = o.who.userArgument
	return o.command(run, &cobra.Command{
		Use:   "as-user NAME [TYPE/NAME | TYPE NAME... | TYPE --all | -f FILE]",
		Short: "Simulate a change by a user, with the groups that the API server adds",
		Example: `  # May dev exclude a Deployment from downscaling?
  kubectl downscaler-compliance simulate as-user dev deploy/web -n team-a --set exclude=true

  # May someone of the group ops remove it, on every workload of the cluster? And why?
  kubectl downscaler-compliance simulate as-user kim --user-group ops --all -A --remove exclude --explain

  # What would kubectl apply of these files do?
  kubectl downscaler-compliance simulate as-user dev -f deploy/ -n team-a

  # Would a proposed policy stop it? And for whom would it change something?
  kubectl downscaler-compliance simulate as-user dev deploy/web --set exclude=true --policies guard.yaml
  kubectl downscaler-compliance simulate as-user dev deploy/web --set exclude=true --policies guard.yaml --compare --requesters live`,
	})
}

func newSimulateAsServiceAccountCommand(streams genericiooptions.IOStreams, run simulateRun) *cobra.Command {
	o := &simulateOptions{streams: streams, named: "NAMESPACE:NAME"}
	o.identify = o.who.serviceAccountArgument
	return o.command(run, &cobra.Command{
		Use:     "as-serviceaccount NAMESPACE:NAME [TYPE/NAME | TYPE NAME... | TYPE --all | -f FILE]",
		Aliases: []string{"as-sa"},
		Short:   "Simulate a change by a service account, with the groups that the API server gives it",
		Example: `  # May the pipeline of team-a exclude its Deployments?
  kubectl downscaler-compliance simulate as-serviceaccount team-a:deployer deploy --all -n team-a --set exclude=true

  # What would come of its server-side apply?
  kubectl downscaler-compliance simulate as-serviceaccount team-a:deployer -f app.yaml --via server-side-apply`,
	})
}

func newSimulateAsMeCommand(streams genericiooptions.IOStreams, run simulateRun) *cobra.Command {
	o := &simulateOptions{streams: streams}
	o.ask = func(ctx context.Context) (request.Requester, error) {
		config, err := o.state.cluster.config()
		if err != nil {
			return request.Requester{}, err
		}
		return whoami(ctx, config)
	}
	return o.command(run, &cobra.Command{
		Use:   "as-me [TYPE/NAME | TYPE NAME... | TYPE --all | -f FILE]",
		Short: "Simulate a change by whoever the kubeconfig authenticates as",
		Example: `  # May I?
  kubectl downscaler-compliance simulate as-me deploy/web --set exclude=true`,
	})
}

// command gives one of the simulate commands its flags and what it runs.
func (o *simulateOptions) command(run simulateRun, cmd *cobra.Command) *cobra.Command {
	if run == nil {
		run = func(ctx context.Context, o *simulateOptions) error { return o.run(ctx) }
	}
	cmd.DisableFlagsInUseLine = true
	cmd.Long = cmd.Short + `: would the API server let the change pass, and what would be stored?
Nothing is sent.

With --compare it shows instead what would become of the change with proposed policies and not with those in force: exit code 1
is then that something differs.

Exit code 0: everything would pass unchanged. 1: something would be blocked or altered. 2: wrong usage, which a selector
without --all that finds nothing is, too; or something asked for could not be looked at, and the report is still printed.`
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.complete(cmd, args); err != nil {
			return err
		}
		if err := o.validate(cmd); err != nil {
			return err
		}
		return run(cmd.Context(), o)
	}
	o.addFlags(cmd)
	return cmd
}
