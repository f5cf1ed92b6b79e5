package report

import (
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/listing"
)

// policiesTable has a row a policy and binding: what it does where, and whom it lets through.
func policiesTable(report *listing.Report, options Options) ([]byte, error) {
	table := grid{headers: []string{"POLICY", "KIND", "BINDING", "ACTIONS", "NAMESPACES", "STATE", "COVERS", "LETS THROUGH"}}
	shown := shownPolicies(report, options)
	for _, p := range shown {
		of := []string{policyState(p, options), coversAtMost(p, options), letsThrough(p.Parties, options)}
		for _, binding := range bindingsOrNone(p) {
			row := []string{policyName(p), shortKind(p.Kind)}
			row = append(append(row, bindingCells(binding, options)...), whereShort(p, binding))
			row = append(row, of...)
			table.rows = append(table.rows, row)
			of = []string{none, none, none} // is the same for the policy's other bindings
		}
	}
	return policiesDocument(report, table, policyFlaws(shown, 1, options), options)
}

// bindingsOrNone gives a policy without bindings a row, too.
func bindingsOrNone(p listing.Policy) []*listing.Binding {
	if len(p.Bindings) == 0 {
		return []*listing.Binding{nil}
	}
	list := make([]*listing.Binding, 0, len(p.Bindings))
	for i := range p.Bindings {
		list = append(list, &p.Bindings[i])
	}
	return list
}

func bindingCells(binding *listing.Binding, options Options) []string {
	if binding == nil {
		return []string{options.paint(red, "no binding"), "does nothing"}
	}
	return []string{proposedName(binding.Name, binding.Origin), actionWords(binding.Actions)}
}

// whereShort is where a binding lets its policy act.
func whereShort(p listing.Policy, binding *listing.Binding) string {
	if binding == nil {
		return none
	}
	text := namespacesShort(binding.Namespaces)
	if objects := selectedObjects(p, binding); objects != "" {
		text += ", objects with " + objects
	}
	return text
}

func policyName(p listing.Policy) string { return proposedName(p.Name, p.Origin) }

func proposedName(name string, origin listing.Origin) string {
	if origin == listing.Proposed {
		return escape(name) + " (proposed)"
	}
	return escape(name)
}

// shortKind leaves out what both kinds have in common.
func shortKind(kind string) string {
	return escape(strings.ToLower(strings.TrimSuffix(kind, "AdmissionPolicy")))
}

// policyState says in a few words what compiling and type checking came to.
func policyState(p listing.Policy, options Options) string {
	switch p.Compile.State {
	case listing.DoesNotCompile:
		return options.paint(red, "does not compile")
	case listing.CompileUnknown:
		return options.paint(magenta, "may not compile")
	}
	warnings := max(len(p.TypeCheck.Warnings), len(storedWarnings(p.TypeCheck)))
	if warnings > 0 {
		return options.paint(yellow, count(warnings, "type warning", "type warnings"))
	}
	words, known := typeWords[p.TypeCheck.State]
	if !known {
		words = "types: " + escape(string(p.TypeCheck.State))
	}
	return "compiles, " + words
}

var typeWords = map[listing.TypeState]string{
	listing.TypesPassed: "types checked", listing.TypesPartial: "types checked in part",
	listing.TypesNotChecked: "types not checked", listing.TypesUnknown: "types unknown",
}

// storedWarnings are those in the policy's status that are about the policy as it is now.
func storedWarnings(t listing.TypeCheck) []listing.Remark {
	if t.Stored == nil || !t.Stored.Current {
		return nil
	}
	return t.Stored.Warnings
}
