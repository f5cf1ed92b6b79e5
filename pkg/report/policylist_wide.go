package report

import (
	"fmt"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/listing"
)

// policiesWide has the table's rows with the fields behind them, and below the table what stands in which expression.
func policiesWide(report *listing.Report, options Options) ([]byte, error) {
	table := grid{headers: []string{
		"POLICY", "KIND", "FAILURE", "MATCH", "REINVOKED", "STATE", "BINDING", "ACTIONS", "PARAMETERS", "NAMESPACES", "OBJECTS",
	}}
	shown := shownPolicies(report, options)
	for _, p := range shown {
		for _, binding := range bindingsOrNone(p) {
			row := []string{
				policyName(p), shortKind(p.Kind), orNone(escape(p.FailurePolicy)), orNone(escape(p.MatchPolicy)),
				orNone(escape(p.ReinvocationPolicy)), policyState(p, options),
			}
			row = append(append(row, bindingCells(binding, options)...), parameters(p, binding))
			table.rows = append(table.rows, append(row, whereLong(p, binding)...))
		}
	}
	var b strings.Builder
	for _, p := range shown {
		b.WriteString(policyDetails(p, options))
	}
	return policiesDocument(report, table, b.String(), options)
}

// parameters are the kind, and the binding's choice of them.
func parameters(p listing.Policy, binding *listing.Binding) string {
	if p.ParamKind == nil {
		return none
	}
	text := p.ParamKind.APIVersion + " " + p.ParamKind.Kind
	if binding == nil || binding.ParamRef == nil {
		return escape(text)
	}
	ref := binding.ParamRef
	if ref.Name != "" {
		text += " " + ref.Name
	}
	if ref.Selector != "" {
		text += " with " + ref.Selector
	}
	if ref.Namespace != "" {
		text += " in " + ref.Namespace
	}
	if ref.ParameterNotFoundAction != "" {
		text += ", " + strings.ToLower(ref.ParameterNotFoundAction) + " where there is none"
	}
	return escape(text)
}

// whereLong names the namespaces, with the selectors behind them, and the objects.
func whereLong(p listing.Policy, binding *listing.Binding) []string {
	if binding == nil {
		return []string{none, none}
	}
	text := namespacesShort(binding.Namespaces)
	if n := binding.Namespaces; n != nil && n.Coverage == listing.CoversSelected {
		text += ": " + orNone(escape(strings.Join(n.Covered, ", ")))
		if len(n.Excluded) > 0 {
			text += "; not " + escape(strings.Join(n.Excluded, ", "))
		}
	}
	if selectors := bySelectors(p.NamespaceSelector, binding.NamespaceSelector); selectors != "" {
		text += " (" + selectors + ")"
	}
	objects := selectedObjects(p, binding)
	if objects == "" {
		objects = "all"
	}
	return []string{text, objects}
}

// policyDetails are the fields of one policy.
func policyDetails(p listing.Policy, options Options) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s %s:\n", escape(p.Kind), policyName(p))
	say := func(label, text string) { b.WriteString(indented("  "+label+": ", text, options.Width)) }
	for _, r := range p.Resources {
		say("covers", coversLong(r))
	}
	for _, r := range p.ExcludedResources {
		say("does not cover", coversLong(r))
	}
	for _, binding := range p.Bindings {
		for _, r := range binding.Resources {
			say("covers by "+escape(binding.Name), coversLong(r))
		}
		for _, r := range binding.ExcludedResources {
			say("does not cover by "+escape(binding.Name), coversLong(r))
		}
	}
	for _, party := range p.Parties.Named {
		say(escape(party.Field)+" lets through", partyLong(party))
	}
	for _, e := range p.Parties.Expressions {
		say(escape(e.Field)+" is not put into words", escape(celLine(e.Expression)))
	}
	b.WriteString(flawsOf(p, -1, "", options))
	for _, gap := range p.TypeCheck.NotChecked {
		say("types not checked of "+escape(gap.What), escape(oneLine(gap.Why)))
	}
	return b.String()
}

func partyLong(p listing.Party) string {
	text := escape(p.Text)
	if len(p.When) > 0 {
		text += " if " + escape(celLine(strings.Join(p.When, " and ")))
	}
	return text
}

// celLine makes one line of an expression: a line break means no more than a blank there.
func celLine(expression string) string {
	lines := strings.FieldsFunc(expression, func(r rune) bool { return r == '\n' || r == '\r' })
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, " ")
}
