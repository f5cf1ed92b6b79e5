package cli

import (
	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// newPoliciesCommand returns the parent of the commands about the policies themselves.
func newPoliciesCommand(streams genericiooptions.IOStreams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "policies COMMAND",
		Short: "List the admission policies, or render those that Helm values stand for",
		RunE:  needsCommand(func(cmd *cobra.Command) error { return cmd.Help() }),
	}
	cmd.AddCommand(newPoliciesListCommand(streams, nil), newPoliciesRenderCommand(streams, nil))
	return cmd
}
