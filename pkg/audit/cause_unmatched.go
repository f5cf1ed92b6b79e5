package audit

import (
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// unmatched explains a request that a policy, or its binding, does not match.
func (c *cause) unmatched(probe Probe, operation string) {
	match, object := c.policy.match, c.policy.object
	for _, b := range c.policy.bindings {
		if c.step.Binding != "" && b.object.GetName() == c.step.Binding {
			c.subject.Kind, c.subject.Name = b.kind, b.object.GetName()
			match, object = b.match, b.object
		}
	}
	field := "spec." + c.step.Because.Rule
	if c.by() == "resourceRules" && match != nil {
		u := unlisting{kind: probe.Object.Kind, operation: operation, name: probe.Object.Meta().GetName(), exact: exact(match), field: field}
		c.why, c.remedy = u.explain(match.ResourceRules)
		c.distinct = distinct(typeOf(u.kind), operation)
		return
	}
	c.distinct = contentOf(object, field)
	c.why = fmt.Sprintf("%s leaves them out", field)
	c.remedy = fmt.Sprintf("Take %s out of %s %s; exempt requesters rather than objects.", field, c.subject.Kind, c.subject.Name)
}

func exact(match *admissionregistrationv1.MatchResources) bool {
	return match.MatchPolicy != nil && *match.MatchPolicy == admissionregistrationv1.Exact
}

// unlisting is a request that no rule lists. Without an operation it is any.
type unlisting struct {
	kind            inventory.Kind
	operation, name string
	exact           bool
	field           string // that of the rules
}

// explain says which part of the rules leaves the request out: of those that list the resource, the part that none of them has right.
func (u unlisting) explain(rules []admissionregistrationv1.NamedRuleWithOperations) (why, remedy string) {
	resource := typeOf(u.kind)
	listing := slices.DeleteFunc(slices.Clone(rules), func(r admissionregistrationv1.NamedRuleWithOperations) bool { return !u.lists(r) })
	if len(listing) == 0 {
		return fmt.Sprintf("no rule of %s lists %s", u.field, resource), fmt.Sprintf("Add %s to %s, for CREATE and UPDATE.", resource, u.field)
	}
	for _, part := range u.parts() {
		right := slices.DeleteFunc(slices.Clone(listing), func(r admissionregistrationv1.NamedRuleWithOperations) bool { return !part.right(r) })
		if len(right) == 0 {
			return fmt.Sprintf("%s lists %s %s", u.field, resource, part.wrong(listing)), part.remedy
		}
		listing = right
	}
	return u.field + " does not match them", fmt.Sprintf("Let a rule of %s list %s for %s, whatever the object's name.", u.field, resource, u.operation)
}

// lists says whether a rule lists the resource itself, in whatever version and scope.
func (u unlisting) lists(r admissionregistrationv1.NamedRuleWithOperations) bool {
	return has(r.APIGroups, u.kind.Resource.Group) && (has(r.Resources, u.kind.Resource.Resource) || slices.Contains(r.Resources, "*/*"))
}

func has(list []string, one string) bool {
	return slices.Contains(list, one) || slices.Contains(list, "*")
}

// rulePart is one part of a rule by which it may leave a request out.
type rulePart struct {
	right  func(admissionregistrationv1.NamedRuleWithOperations) bool
	wrong  func([]admissionregistrationv1.NamedRuleWithOperations) string
	remedy string
}

func (u unlisting) parts() []rulePart {
	type rule = admissionregistrationv1.NamedRuleWithOperations
	scope := admissionregistrationv1.ClusterScope
	if u.kind.Namespaced {
		scope = admissionregistrationv1.NamespacedScope
	}
	return []rulePart{
		{
			func(r rule) bool { return u.operation == "" || has(operationsOf(r), u.operation) },
			func(all []rule) string {
				return fmt.Sprintf("for %s only, and not for %s", enumerate(union(all, operationsOf)), u.operation)
			},
			fmt.Sprintf("Add %s to the operations of the rule that lists %s in %s.", u.operation, typeOf(u.kind), u.field),
		},
		{
			func(r rule) bool {
				return r.Scope == nil || *r.Scope == admissionregistrationv1.AllScopes || *r.Scope == scope
			},
			func(all []rule) string { return fmt.Sprintf("with scope %s, in which there is none", *all[0].Scope) },
			fmt.Sprintf(`Set scope of that rule to "*" or %s.`, scope),
		},
		{
			func(r rule) bool { return !u.exact || has(r.APIVersions, u.kind.Resource.Version) },
			func(all []rule) string {
				versions := union(all, func(r rule) []string { return r.APIVersions })
				return fmt.Sprintf("in %s only, and with matchPolicy Exact not in %s", enumerate(versions), u.kind.Resource.Version)
			},
			`Set matchPolicy to Equivalent, or apiVersions of that rule to ["*"].`,
		},
		{
			func(r rule) bool { return len(r.ResourceNames) == 0 || slices.Contains(r.ResourceNames, u.name) },
			func(all []rule) string {
				return fmt.Sprintf("by the resourceNames %s only", enumerate(union(all, func(r rule) []string { return r.ResourceNames })))
			},
			"Take resourceNames out of that rule.",
		},
	}
}

func operationsOf(r admissionregistrationv1.NamedRuleWithOperations) []string {
	var list []string
	for _, operation := range r.Operations {
		list = append(list, string(operation))
	}
	return list
}

// union is what several rules list, each once.
func union(rules []admissionregistrationv1.NamedRuleWithOperations, of func(admissionregistrationv1.NamedRuleWithOperations) []string) []string {
	var list []string
	for _, r := range rules {
		list = append(list, of(r)...)
	}
	slices.SortFunc(list, strings.Compare)
	return slices.Compact(list)
}
