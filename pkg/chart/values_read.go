package chart

import (
	"slices"
	"strings"
)

// sectionKeys are those of the section; a file with any of them at its top is the section alone.
var sectionKeys = []string{
	"mutateUnauthorizedAnnotationsAddition", "validationActions", "authorizedNamespacesToServiceAccountsRegex",
	"authorizedUsersRegex", "authorizedGroupsRegex", "onWorkloads", "onNamespace",
}

// sectionIn finds the section in a file.
func (r *reader) sectionIn(top section) section {
	if found := top.child(sectionKey); found.node != nil {
		return found
	}
	if slices.ContainsFunc(top.keys(), func(key string) bool { return slices.Contains(sectionKeys, key) }) {
		return section{reader: r, node: top.node, path: sectionKey}
	}
	r.fail(top.node.Line, "", "there is no section %s in the file; give it alone, or within the chart's values", sectionKey)
	return section{reader: r}
}

// readAround reads what stands around the section.
func readAround(top section) *Values {
	v := &Values{
		IncludedResources: top.child("includedResources").textsOr("deployments"),
		WebhookEnabled:    top.child("webhookController").child("enabled").boolean(false),
		nameOverride:      top.child("nameOverride").text(),
		fullnameOverride:  top.child("fullnameOverride").text(),
	}
	v.serviceAccount.create = top.child("serviceAccount").child("create").boolean(true)
	v.serviceAccount.name = top.child("serviceAccount").child("name").text()
	arguments := slices.Concat(top.child("arguments").textsOr(), top.child("extraArguments").textsOr())
	v.ScaleChildren = slices.Contains(arguments, "--scale-children") || slices.Contains(arguments, "--scale-children=true")
	return v
}

func readSection(s section) Compliance {
	s.only(sectionKeys...)
	return Compliance{
		Mutate:            s.child("mutateUnauthorizedAnnotationsAddition").boolean(false),
		ValidationActions: readActions(s.child("validationActions")),
		ServiceAccounts:   serviceAccountPatterns(s.child("authorizedNamespacesToServiceAccountsRegex")),
		Users:             patterns(s.child("authorizedUsersRegex")),
		Groups:            patterns(s.child("authorizedGroupsRegex")),
		OnWorkloads:       readScope(s.child("onWorkloads")),
		OnNamespace:       readScope(s.child("onNamespace")),
	}
}

// readActions reads the list as it was meant. The chart writes it between brackets and with blanks, so that an item with a comma is two of them, and two items
// are one that the API server doesn't know.
func readActions(s section) Actions {
	items := s.textsOr("Deny")
	written := strings.Join(items, " ")
	names := strings.FieldsFunc(written, func(r rune) bool { return r == ',' || r == ' ' })
	if len(names) == 0 {
		s.fail(s.line(), s.path, "the API server takes no binding without an action; give Deny")
	}
	for _, name := range names {
		if !slices.Contains([]string{"Deny", "Warn", "Audit"}, name) {
			s.fail(s.line(), s.path, "there is no action %q; give Deny, Warn or Audit", name)
		}
	}
	if slices.Contains(names, "Deny") && slices.Contains(names, "Warn") {
		s.fail(s.line(), s.path, "the API server takes Deny or Warn, and not both; give one of them")
	}
	return Actions{Names: names, Joined: strings.Count(written, ",") < len(names)-1, Line: s.line()}
}

func readScope(s section) Scope {
	s.only("enabled", "preventRemoval")
	return Scope{Enabled: s.child("enabled").boolean(false), PreventRemoval: s.child("preventRemoval").boolean(false)}
}

func patterns(s section) []Pattern {
	var found []Pattern
	for _, item := range s.items() {
		found = append(found, newPattern(item, item.rendered()))
	}
	return found
}

// serviceAccountPatterns goes through the namespaces in the order of their names, as Helm's templates do.
func serviceAccountPatterns(s section) []Pattern {
	var found []Pattern
	for _, namespace := range slices.Sorted(slices.Values(s.keys())) {
		for _, item := range s.child(namespace).items() {
			found = append(found, newServiceAccountPattern(item, namespace, item.rendered()))
		}
	}
	return found
}
