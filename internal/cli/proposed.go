package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
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

// notes say what keeps the proposed policies from doing what they are meant for, and what the chart would make of the values. inv has
// the policies in it.
func (f *proposedFlags) notes(ctx context.Context, inv inventory.Inventory) ([]string, error) {
	notes, err := flaws(f.policies, inv.Policies(), inv.Server().Version)
	return slices.Concat(notes, f.mistakeNotes(), f.valuesNotes(ctx, inv)), err
}

// mistakeNotes say what the chart would make of the values, which an audit says by findings.
func (f *proposedFlags) mistakeNotes() []string {
	var notes []string
	for _, m := range f.mistakes {
		note := fmt.Sprintf("%s: %s: %s", m.ID, m.Field, m.Message)
		if m.Mended {
			note += " What was meant is simulated."
		}
		notes = append(notes, note)
	}
	return notes
}

// valuesNotes say what else looks like a mistake in the values, such as accounts of the downscaler's that don't exist.
func (f *proposedFlags) valuesNotes(ctx context.Context, inv inventory.Inventory) []string {
	if f.chart == nil {
		return nil
	}
	notes := f.chart.Notes()
	if len(f.policies.Validating)+len(f.policies.Mutating) == 0 {
		return notes
	}
	for _, username := range f.chart.Accounts(f.values.release) {
		if missesAccount(ctx, inv, username) {
			notes = append(notes, fmt.Sprintf("the values let %s pass as the downscaler, and there is no such service account; are --release-name %s and --release-namespace %s right?",
				username, f.values.release.Name, f.values.release.Namespace))
		}
	}
	return notes
}

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

func isEmpty(p *inventory.Policies) bool {
	return len(p.Validating)+len(p.ValidatingBindings)+len(p.Mutating)+len(p.MutatingBindings)+
		len(p.ValidatingWebhooks)+len(p.MutatingWebhooks) == 0
}

// mergePolicies puts proposed policies in the place of those with the same names, and adds the others.
func mergePolicies(live, proposed *inventory.Policies, only bool) *inventory.Policies {
	if only {
		live = &inventory.Policies{}
	}
	return &inventory.Policies{
		Validating:         merge(live.Validating, proposed.Validating),
		ValidatingBindings: merge(live.ValidatingBindings, proposed.ValidatingBindings),
		Mutating:           merge(live.Mutating, proposed.Mutating),
		MutatingBindings:   merge(live.MutatingBindings, proposed.MutatingBindings),
		ValidatingWebhooks: merge(live.ValidatingWebhooks, proposed.ValidatingWebhooks),
		MutatingWebhooks:   merge(live.MutatingWebhooks, proposed.MutatingWebhooks),
		Unread:             slices.Concat(live.Unread, proposed.Unread),
	}
}

// merge returns the proposed objects and those live ones that none of them replaces, sorted by name.
func merge[T metav1.Object](live, proposed []T) []T {
	merged := slices.Clone(proposed)
	for _, object := range live {
		isSame := func(other T) bool {
			return other.GetName() == object.GetName()
		}
		if !slices.ContainsFunc(proposed, isSame) {
			merged = append(merged, object)
		}
	}
	slices.SortFunc(merged, func(a, b T) int { return strings.Compare(a.GetName(), b.GetName()) })
	return merged
}

// proposal is an inventory with proposed policies in it, and with the parameters that came with them.
type proposal struct {
	inventory.Inventory
	files    inventory.Inventory // nil where no file is
	proposed *inventory.Policies // among the policies
	policies *inventory.Policies
	only     bool
}

// Policies implements inventory.Inventory.
func (p *proposal) Policies() *inventory.Policies { return p.policies }

// Incomplete implements inventory.Inventory. That policies could not be read doesn't matter where they are left out, and what
// else the proposal's files leave open doesn't matter at all: only their policies and parameters are looked at.
func (p *proposal) Incomplete() []inventory.Gap {
	gaps := slices.Clone(p.Inventory.Incomplete())
	if p.only {
		unread := p.Inventory.Policies().Unread
		gaps = slices.DeleteFunc(gaps, func(gap inventory.Gap) bool { return slices.Contains(unread, gap) })
	}
	if p.files == nil {
		return gaps
	}
	return slices.Concat(gaps, p.files.Policies().Unread)
}

// Locate implements inventory.Locator: what is proposed stands in its own files.
func (p *proposal) Locate(kind, namespace, name string) (inventory.Position, bool) {
	if p.files != nil {
		if position, found := inventory.Locate(p.files, kind, namespace, name); found {
			return position, true
		}
	}
	if isProposed(p.proposed, kind, name) {
		return inventory.Position{}, false
	}
	return inventory.Locate(p.Inventory, kind, namespace, name)
}

// Written implements inventory.Writer: what no file of the proposal has is what the downscaler's chart makes of values.
func (p *proposal) Written(kind, name string) (schema.GroupVersion, bool) {
	if p.files != nil {
		if written, found := inventory.Written(p.files, kind, name); found {
			return written, true
		}
	}
	if isProposed(p.proposed, kind, name) {
		return chart.WrittenVersion(kind), true
	}
	return inventory.Written(p.Inventory, kind, name)
}

// Params implements inventory.Inventory.
func (p *proposal) Params(ctx context.Context, gvk schema.GroupVersionKind) ([]runtime.Object, inventory.Kind, error) {
	live, kind, err := p.Inventory.Params(ctx, gvk)
	if p.files == nil {
		return live, kind, err
	}
	proposed, proposedKind, filesErr := p.files.Params(ctx, gvk)
	switch {
	case filesErr != nil && !meta.IsNoMatchError(filesErr):
		return nil, kind, filesErr
	case filesErr != nil, len(proposed) == 0:
		return live, kind, err
	}
	if meta.IsNoMatchError(err) {
		return proposed, proposedKind, nil
	}
	return append(withoutSame(live, proposed), proposed...), kind, err
}

// withoutSame leaves out the objects that others replace.
func withoutSame(objects, replacing []runtime.Object) []runtime.Object {
	names := map[string]bool{}
	for _, object := range replacing {
		names[nameOf(object)] = true
	}
	return slices.DeleteFunc(slices.Clone(objects), func(object runtime.Object) bool { return names[nameOf(object)] })
}

func nameOf(object runtime.Object) string {
	m, err := meta.Accessor(object)
	if err != nil {
		return ""
	}
	return m.GetNamespace() + "/" + m.GetName()
}
