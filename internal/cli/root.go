package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// What the plugin is called on disk, and what people type.
const (
	binaryName  = "kubectl-downscaler_compliance"
	displayName = "kubectl downscaler-compliance"
)

func newRootCommand(streams genericiooptions.IOStreams) *cobra.Command {
	root := &cobra.Command{
		Use:   binaryName,
		Short: "Check how well a cluster's admission policies guard the downscaler's annotations",
		Long: `Check how well a cluster's admission policies guard the annotations of GoKubeDownscaler,
and find out beforehand what the API server would do with a change of them.

Nothing is ever written to a cluster. With --from no cluster is needed at all.`,
		Example: `  # What is guarded, how well, and what is wrong with the guard
  kubectl downscaler-compliance audit -A

  # Would this user get away with it?
  kubectl downscaler-compliance simulate as-user dev deploy/web -n team-a --set exclude=true

  # The same on another machine, without the cluster
  kubectl downscaler-compliance snapshot --to cluster.yaml
  kubectl downscaler-compliance audit --from cluster.yaml`,
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: displayName},
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE:          needsCommand(func(cmd *cobra.Command) error { return cmd.Help() }),
	}
	root.SetIn(streams.In)
	root.SetOut(streams.Out)
	root.SetErr(streams.ErrOut)
	root.SetUsageFunc(usage)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return asUsage(err) })
	root.AddCommand(
		newAuditCommand(streams, nil),
		newPoliciesCommand(streams),
		newSimulateCommand(streams),
		newSnapshotCommand(streams, nil),
		newVerifyCommand(streams, nil),
		newVersionCommand(streams),
		newWhoCanCommand(streams, nil),
	)
	addCompletionCommand(root)
	root.SetHelpCommand(newHelpCommand(root))
	return root
}

// needsCommand is what a command that only has subcommands does: it refuses what is none of them, which
// cobra would answer with a help text and success.
func needsCommand(alone func(*cobra.Command) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return alone(cmd)
		}
		cmd.SuggestionsMinimumDistance = 2 // as cobra has it where it refuses commands by itself
		if similar := cmd.SuggestionsFor(args[0]); len(similar) > 0 {
			return usageErrorf("unknown command %q for %q; did you mean %q?", args[0], cmd.CommandPath(), similar[0])
		}
		return usageErrorf("unknown command %q for %q", args[0], cmd.CommandPath())
	}
}

// noArguments refuses arguments of a command that takes none.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageErrorf("%q takes no arguments, and %q was given", cmd.CommandPath(), args[0])
	}
	return nil
}

// newHelpCommand is cobra's help, but that it refuses what is no command.
func newHelpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show the help of a command",
		RunE: func(_ *cobra.Command, args []string) error {
			command, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return usageErrorf("there is no command %q", strings.Join(args, " "))
			}
			command.InitDefaultHelpFlag()
			return command.Help()
		},
	}
}
