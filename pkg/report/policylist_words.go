package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/listing"
)

// readableNames is how many resources or parties a person reads in a row of a table.
const readableNames = 5

func actionWords(actions []string) string {
	var words []string
	for _, action := range actions {
		if action == listing.ActionMutate {
			action = "mutates"
		}
		words = append(words, escape(strings.ToLower(action)))
	}
	return orNone(strings.Join(words, ", "))
}

// namespacesShort counts the namespaces that a selector chooses.
func namespacesShort(n *listing.Namespaces) string {
	switch {
	case n == nil:
		return none
	case n.Coverage == listing.CoversAll:
		return "all"
	case n.Coverage == listing.CoversSelected:
		return fmt.Sprintf("%d of %d", len(n.Covered), len(n.Covered)+len(n.Excluded))
	}
	return "not known"
}

// selectedObjects are those that a policy's and a binding's objectSelector leave; empty for all.
func selectedObjects(p listing.Policy, binding *listing.Binding) string {
	return bySelectors(p.ObjectSelector, binding.ObjectSelector)
}

// bySelectors spells a policy's and a binding's selector.
func bySelectors(ofPolicy, ofBinding string) string {
	selectors := slices.DeleteFunc([]string{ofPolicy, ofBinding}, func(s string) bool { return s == "" })
	return escape(strings.Join(selectors, " and "))
}

// coversShort names the first resources, those with the same operations together.
func coversShort(all []listing.Resources, options Options) string {
	var order []string
	resources := map[string][]string{}
	for _, r := range all {
		operations := escape(strings.ToLower(strings.Join(r.Operations, ", ")))
		if resources[operations] == nil {
			order = append(order, operations)
		}
		for _, resource := range r.Resources {
			if resource = escape(resource); !slices.Contains(resources[operations], resource) {
				resources[operations] = append(resources[operations], resource)
			}
		}
	}
	var texts []string
	for _, operations := range order {
		few := readableNames
		if options.ShowAll {
			few = len(resources[operations])
		}
		texts = append(texts, firstOf(resources[operations], few, ", ")+": "+operations)
	}
	if len(texts) == 0 {
		return "nothing"
	}
	return strings.Join(texts, "; ")
}

// coversAtMost says of rules that something narrows that they cover no more than what they name.
func coversAtMost(p listing.Policy, options Options) string {
	narrows := func(rules []listing.Resources) bool {
		return slices.ContainsFunc(rules, func(r listing.Resources) bool { return len(r.ResourceNames) > 0 })
	}
	text := coversShort(p.Resources, options)
	byBinding := slices.ContainsFunc(p.Bindings, func(b listing.Binding) bool { return len(b.Resources)+len(b.ExcludedResources) > 0 })
	if len(p.ExcludedResources) > 0 || narrows(p.Resources) || byBinding {
		text = "at most " + text + " (-o wide shows what narrows it)"
	}
	return text
}

// coversLong is one rule: deployments, deployments/status (apps/v1) create, update.
func coversLong(r listing.Resources) string {
	var versions []string
	for _, group := range r.APIGroups {
		for _, version := range r.APIVersions {
			if group != "" {
				version = group + "/" + version
			}
			versions = append(versions, version)
		}
	}
	text := fmt.Sprintf("%s (%s) %s", strings.Join(r.Resources, ", "), strings.Join(versions, ", "), strings.ToLower(strings.Join(r.Operations, ", ")))
	if len(r.ResourceNames) > 0 {
		text += ", named " + strings.Join(r.ResourceNames, ", ")
	}
	if r.Scope != "" && r.Scope != "*" {
		text += ", " + strings.ToLower(r.Scope) + " ones only"
	}
	return escape(text)
}

// letsThrough names the parties, each once.
func letsThrough(parties listing.Parties, options Options) string {
	var texts []string
	for _, p := range parties.Named {
		text := escape(p.Text)
		switch {
		case len(p.When) > 0:
			text += " (under conditions)"
		case strings.HasPrefix(p.Field, "spec.validations"):
			text += " (by one validation; another may refuse)"
		}
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	few := readableNames
	if options.ShowAll {
		few = len(texts)
	}
	text := firstOf(texts, few, "; ")
	if n := len(parties.Expressions); n > 0 {
		more := "whoever an expression lets through (-o wide shows it)"
		if n > 1 {
			more = fmt.Sprintf("whoever %d expressions let through (-o wide shows them)", n)
		}
		if text != "" {
			text += "; "
		}
		text += more
	}
	if text == "" {
		return "names nobody"
	}
	return text
}
