package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/listing"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// Policies are the formats of lists of policies.
var Policies = append(Formats[*listing.Report]{
	{Name: "table", Print: policiesTable},
	{Name: "wide", Print: policiesWide},
	{Name: "name", Print: policiesNames, Unexplained: true},
}, dataFormats[*listing.Report]()...)

// shownPolicies are those that the table has rows for.
func shownPolicies(report *listing.Report, options Options) []listing.Policy {
	return slices.DeleteFunc(slices.Clone(report.Policies), func(p listing.Policy) bool { return !options.ShowAll && !p.AboutAnnotations })
}

// policiesDocument is a table with everything around it.
func policiesDocument(report *listing.Report, table grid, sections string, options Options) ([]byte, error) {
	rows, err := table.render(options)
	if err != nil {
		return nil, err
	}
	summary := indented("", policiesSummary(report, options), options.Width)
	return document(notes(report.Incomplete, report.Assumptions, options), summary, string(rows), sections, unboundSection(report, options)), nil
}

// unboundSection names the bindings that do nothing.
func unboundSection(report *listing.Report, options Options) string {
	if len(report.BindingsWithoutPolicy) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\nBindings that do nothing, since their policy is not there:\n")
	for _, binding := range report.BindingsWithoutPolicy {
		b.WriteString(indented("  ", fmt.Sprintf("%s %s: policy %s", escape(binding.Kind), escape(binding.Name), escape(binding.Policy)), options.Width))
	}
	return b.String()
}

// policiesSummary says it all: 3 policies, 2 about downscaler/ annotations.
func policiesSummary(report *listing.Report, options Options) string {
	summary := report.Summary
	where := ""
	if report.Scope.Namespace != "" {
		where = " for namespace " + escape(report.Scope.Namespace)
	}
	elsewhere := ""
	if summary.Elsewhere > 0 {
		elsewhere = fmt.Sprintf(" %s not cover it.", count(summary.Elsewhere, "policy does", "policies do"))
	}
	if summary.Policies == 0 {
		if len(report.Incomplete) > 0 {
			return "No admission policies could be listed" + where + "." + elsewhere
		}
		return "There are no admission policies" + where + "." + elsewhere
	}
	text := fmt.Sprintf("%s%s, %d about %s annotations", count(summary.Policies, "policy", "policies"), where, summary.AboutAnnotations, downscaler.Prefix)
	if rest := len(report.Policies) - len(shownPolicies(report, options)); rest > 0 {
		text += fmt.Sprintf(" (%s, --show-all lists %s)", count(rest, "other", "others"), verb(rest, "it", "them"))
	}
	var wrong tally
	wrong.add(summary.WithoutBinding, "without a binding")
	wrong.add(summary.NotCompiling, verb(summary.NotCompiling, "does not compile", "do not compile"))
	wrong.add(summary.TypeWarnings, "with type warnings")
	if len(wrong) > 0 {
		text += ": " + wrong.String()
	}
	return text + "." + elsewhere
}

// policiesNames lists the policies of the table, as kubectl's -o name has them.
func policiesNames(report *listing.Report, options Options) ([]byte, error) {
	var refs []simulate.ObjectRef
	for _, p := range shownPolicies(report, options) {
		refs = append(refs, simulate.ObjectRef{APIVersion: "admissionregistration.k8s.io/v1", Kind: p.Kind, Name: p.Name})
	}
	return names(refs), nil
}
