package chart

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// sectionKey is the section's name in the chart's values.
const sectionKey = "annotationsCompliance"

// Values are the part of the chart's values that shapes the guard.
type Values struct {
	// Compliance is the annotationsCompliance section.
	Compliance Compliance
	// IncludedResources are the ids of the kinds that the downscaler scales, the chart's default where they are not named.
	IncludedResources []string
	// Alone says that the file is the section alone, so that it says nothing of what is scaled.
	Alone bool
	// ScaleChildren says that the arguments let CronJobs' Jobs be scaled, too.
	ScaleChildren bool
	// WebhookEnabled says that the downscaler's own mutating webhook is deployed.
	WebhookEnabled bool

	nameOverride, fullnameOverride string
	serviceAccount                 struct {
		create bool
		name   string
	}
}

// Compliance is the annotationsCompliance section.
type Compliance struct {
	// Mutate asks for a MutatingAdmissionPolicy that strips what is added, where it would else be blocked.
	Mutate bool
	// ValidationActions are those of the validating policies' bindings.
	ValidationActions Actions
	// ServiceAccounts, Users and Groups are who is authorised, each in the chart's order.
	ServiceAccounts, Users, Groups []Pattern
	OnWorkloads, OnNamespace       Scope
}

// Scope says what is guarded on workloads, or on namespaces.
type Scope struct{ Enabled, PreventRemoval bool }

// Actions are validationActions and where they stand.
type Actions struct {
	Names []string
	// Joined says that the chart makes one of several.
	Joined bool
	Line   int
}

// sectionKeys are those of the section; a file with any of them at its top is the section alone.
var sectionKeys = []string{
	"mutateUnauthorizedAnnotationsAddition", "validationActions", "authorizedNamespacesToServiceAccountsRegex",
	"authorizedUsersRegex", "authorizedGroupsRegex", "onWorkloads", "onNamespace",
}

// ReadValues reads the values of a file, which are the annotationsCompliance section alone or a whole values file with it. What is absent
// has the chart's default. What is wrong with the file is an *inventory.InputError; a key that the section doesn't have
// is one too, although Helm passes over it: what it was meant to do would not be done.
func ReadValues(file string, text []byte) (*Values, error) {
	r := &reader{file: file}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, r.syntax(err)
	}
	if len(document.Content) == 0 {
		return nil, r.errorf(0, "", "the file is empty; it needs the section %s", sectionKey)
	}
	top := section{reader: r, node: document.Content[0]}
	values := readAround(top)
	values.Alone = top.child(sectionKey).node == nil
	values.Compliance = readSection(r.sectionIn(top))
	if c := values.Compliance; c.OnWorkloads.Enabled && !c.OnNamespace.Enabled && len(values.workloads()) == 0 {
		at := top.child("includedResources")
		r.fail(at.line(), at.path, "none of these is a kind that the downscaler scales, so that the policies would have no rule and be refused")
	}
	if len(r.errs) > 0 {
		return nil, r.errs[0]
	}
	return values, nil
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

// patterns are those of every list.
func (v *Values) patterns() []Pattern {
	return slices.Concat(v.Compliance.ServiceAccounts, v.Compliance.Users, v.Compliance.Groups)
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
