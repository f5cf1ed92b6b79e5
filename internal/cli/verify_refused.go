package cli

import (
	"maps"
	"slices"

	"github.com/spf13/cobra"
)

// refusedFlags are flags of simulate, with what is wrong with each of them here. They are known, so that the refusal can say why.
type refusedFlags map[string]string

const policiesRefused = "the API server decides by the policies that are in force, and knows nothing of proposed ones; try those with simulate"

// notAsked are those that can't mean anything where the API server itself is asked.
var notAsked = refusedFlags{
	"kube-version":       "verify asks an API server, which says itself which version it is; leave it out",
	"past-authorization": "the API server authorizes every request; leave it out",
	"from":               "verify asks an API server, and --from asks none; leave one of the two out",
	"policies":           policiesRefused,
	"only-proposed":      policiesRefused,
	"values":             policiesRefused,
	"release-name":       policiesRefused,
	"release-namespace":  policiesRefused,
}

const changeRefused = "without a command the guard probes are verified; to verify a change, say who makes it: as-user NAME, as-serviceaccount NAMESPACE:NAME or as-me"

// noChange are those that name a change, for the command that makes its own.
var noChange = refusedFlags{
	"set": changeRefused, "remove": changeRefused, "operation": changeRefused, "subresource": changeRefused,
	"filename": changeRefused, "kustomize": changeRefused, "via": changeRefused, "field-manager": changeRefused, "all": changeRefused,
}

func (f refusedFlags) add(cmd *cobra.Command) {
	for name := range f {
		if cmd.Flags().Lookup(name) == nil {
			cmd.Flags().String(name, "", "")
			cmd.Flags().Lookup(name).NoOptDefVal = "true"
		}
		cmd.Flags().Lookup(name).Hidden = true
	}
}

// check names the first of them that was given.
func (f refusedFlags) check(cmd *cobra.Command) error {
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if cmd.Flags().Changed(name) {
			return usageErrorf("--%s: %s", name, f[name])
		}
	}
	return nil
}
