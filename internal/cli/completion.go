package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// addCompletionCommand adds cobra's completion command, with what kubectl needs to be told.
func addCompletionCommand(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "completion" {
			continue
		}
		cmd.Short = "Print a shell's completion script"
		cmd.Long = fmt.Sprintf(`Print a shell's completion script for %[1]s.

kubectl completes "%[2]s" by itself where it finds an executable file named
kubectl_complete-downscaler_compliance in the PATH with these two lines:

  #!/bin/sh
  exec %[2]s __complete "$@"`, binaryName, displayName)
		cmd.Args = cobra.ArbitraryArgs
		cmd.RunE = needsCommand(func(*cobra.Command) error {
			return usageErrorf("name the shell: bash, zsh, fish or powershell")
		})
	}
}
