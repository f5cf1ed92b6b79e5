package cli

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/chart"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

const headingProposed = "Policies proposed"

// proposedFlags name policies that are not in force yet.
type proposedFlags struct {
	paths  []string
	values valuesFlags
	only   bool

	policies *inventory.Policies // those proposed; nil where none is
	mistakes []chart.Mistake     // of the values
	chart    *chart.Values       // the values; nil where none are given
}

func (f *proposedFlags) add(cmd *cobra.Command) {
	addFlags(cmd, headingProposed, func(flags *pflag.FlagSet) {
		flags.StringArrayVar(&f.paths, "policies", nil, "Decide as if the policies, bindings and parameters in this `PATH` were in force: they replace those of the same name, and others are added; repeatable")
		f.values.add(flags)
		flags.BoolVar(&f.only, "only-proposed", false, "Leave out the policies that are in force")
	})
}

func (f *proposedFlags) validate() error {
	if f.only && !f.given() {
		return usageErrorf("--only-proposed leaves no policy at all without --policies or --values; give one of them with it")
	}
	return f.values.validate()
}

func (f *proposedFlags) given() bool { return len(f.paths) > 0 || f.values.given() }

// scaled are the kinds that the values let the downscaler scale, where they say so.
func (f *proposedFlags) scaled() []string {
	if f.chart == nil || f.chart.Alone {
		return nil
	}
	return f.chart.IncludedResources
}

// files are what is to be read.
func (f *proposedFlags) files() []pathFlag {
	return []pathFlag{{"--policies", f.paths}, {"--values", f.values.paths()}}
}

// apply returns the inventory as it would be with the proposed policies.
func (f *proposedFlags) apply(ctx context.Context, inv inventory.Inventory, stdin io.Reader) (inventory.Inventory, error) {
	if !f.given() {
		return inv, nil
	}
	f.policies = &inventory.Policies{}
	p := &proposal{Inventory: inv, only: f.only}
	if f.values.given() {
		values, err := f.values.read(stdin)
		if err != nil {
			return nil, err
		}
		f.policies = values.Plain(f.values.release)
		f.mistakes = values.Mistakes(f.values.release, inv.Server().Version)
		f.chart = values
	}
	if len(f.paths) > 0 {
		files, err := f.readPolicies(ctx, inv, stdin)
		if err != nil {
			return nil, err
		}
		p.files = files
		f.policies = mergePolicies(f.policies, files.Policies(), false)
	}
	p.proposed, p.policies = f.policies, mergePolicies(inv.Policies(), f.policies, f.only)
	return p, nil
}

// readPolicies reads the files of --policies. A typo in what is stored already is the cluster's; one in what is to be stored would be refused.
func (f *proposedFlags) readPolicies(ctx context.Context, inv inventory.Inventory, stdin io.Reader) (inventory.Inventory, error) {
	files, err := inventory.FromFilesFor(ctx, inv.Server().Version, strictly(sources(f.paths, stdin))...)
	if err != nil {
		return nil, err
	}
	if isEmpty(files.Policies()) && !hasParams(ctx, files, inv.Policies()) {
		return nil, errors.New("--policies: there is no admission policy, no binding and no parameter of one in the files; name those that have some")
	}
	return files, nil
}

// hasParams says whether the files hold an object of a kind that some policy takes parameters from.
func hasParams(ctx context.Context, files inventory.Inventory, policies *inventory.Policies) bool {
	var kinds []*admissionregistrationv1.ParamKind
	for _, p := range policies.Validating {
		kinds = append(kinds, p.Spec.ParamKind)
	}
	for _, p := range policies.Mutating {
		kinds = append(kinds, p.Spec.ParamKind)
	}
	return slices.ContainsFunc(kinds, func(kind *admissionregistrationv1.ParamKind) bool {
		if kind == nil {
			return false
		}
		found, _, err := files.Params(ctx, schema.FromAPIVersionAndKind(kind.APIVersion, kind.Kind))
		return err == nil && len(found) > 0
	})
}
