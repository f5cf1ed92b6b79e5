package chart

import (
	"slices"

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

// patterns are those of every list.
func (v *Values) patterns() []Pattern {
	return slices.Concat(v.Compliance.ServiceAccounts, v.Compliance.Users, v.Compliance.Groups)
}
