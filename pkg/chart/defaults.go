package chart

import "github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"

// setDefaults sets what the API server would.
func setDefaults(policies *inventory.Policies) {
	for _, p := range policies.Validating {
		inventory.SetDefaults(p)
	}
	for _, b := range policies.ValidatingBindings {
		inventory.SetDefaults(b)
	}
	for _, p := range policies.Mutating {
		inventory.SetDefaults(p)
	}
	for _, b := range policies.MutatingBindings {
		inventory.SetDefaults(b)
	}
}
