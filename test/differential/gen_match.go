package differential

import "slices"

// ownRequest is true of the group's requests and no others.
const ownRequest = "request.userInfo.?uid.orValue('') == '" + placeholder + "'"

// groupSelector selects what carries the group's label.
func groupSelector() Object { return Object{"matchLabels": Object{"group": placeholder}} }

// isolation is how a policy is kept from acting on other groups' requests.
type isolation int

const (
	byNamespace isolation = iota
	byObject
	byCondition
)

// constraints returns a policy's matchConstraints and how the policy is isolated. What fails before its matchConditions are
// looked at would fail for other groups' requests as well, and a mutating policy is put in all orders with those that match.
func (g *generator) constraints(operations []string, mayUseConditions bool) (Object, isolation) {
	ways := []isolation{byNamespace, byNamespace, byObject}
	if g.aboutClusterScoped() {
		ways = []isolation{byObject}
	}
	if mayUseConditions && !g.aboutAutoscalers() {
		ways = append(ways, byCondition)
	}
	isolated := evenly(g, "isolation", ways)
	rules := List{g.rule(operations)}
	for g.chance(4) {
		rules = append(rules, g.rule(operations))
	}
	constraints := Object{"resourceRules": rules}
	g.narrow(constraints, operations, evenly(g, "narrow", []string{"namespaceSelector", "objectSelector", "excludeResourceRules", "", "", "", "", ""}))
	switch isolated {
	case byNamespace:
		addLabels(constraints, "namespaceSelector")
	case byObject:
		addLabels(constraints, "objectSelector")
	case byCondition:
	}
	// namespaceSelectors never leave out what is cluster-scoped, and only the API server can convert other groups' autoscalers.
	if slices.ContainsFunc(rules, everyGroup) {
		addLabels(constraints, "objectSelector")
	}
	return constraints, isolated
}

func everyGroup(rule any) bool { return rule.(Object)["apiGroups"].(List)[0] == "*" }

// aboutAutoscalers says whether rules must keep to the version of a kind that only the API server can convert.
func (g *generator) aboutAutoscalers() bool {
	return slices.ContainsFunc(g.subjects, subject.isAutoscaler)
}

func (g *generator) aboutClusterScoped() bool {
	return slices.ContainsFunc(g.subjects, subject.isPlan)
}

// narrow adds a match policy, a selector or an exclusion.
func (g *generator) narrow(constraints Object, operations []string, by string) {
	if g.chance(2) {
		constraints["matchPolicy"] = evenly(g, "matchPolicy", []string{"Exact", "Equivalent"})
	}
	switch by {
	case "namespaceSelector":
		constraints["namespaceSelector"] = g.selector("team")
	case "objectSelector":
		constraints["objectSelector"] = g.selector(pick1(g, g.labels))
	case "excludeResourceRules":
		constraints["excludeResourceRules"] = List{g.rule(some(g, operations))}
	}
}

func addLabels(constraints Object, field string) {
	selector, ok := constraints[field].(Object)
	if !ok {
		constraints[field] = groupSelector()
		return
	}
	labels, ok := selector["matchLabels"].(Object)
	if !ok {
		labels = Object{}
	}
	labels["group"] = placeholder
	selector["matchLabels"] = labels
}

func (g *generator) selector(label string) Object {
	values := list(some(g, []string{"a", "b", "c"}))
	return evenly(g, "selector", []Object{
		{"matchLabels": Object{label: "a"}},
		{"matchExpressions": List{Object{"key": label, "operator": "In", "values": values}}},
		{"matchExpressions": List{Object{"key": label, "operator": "NotIn", "values": values}}},
		{"matchExpressions": List{Object{"key": label, "operator": "Exists"}}},
		{"matchExpressions": List{Object{"key": label, "operator": "DoesNotExist"}}},
	})
}

// rule returns a resource rule that matches one of the group's kinds, mostly.
func (g *generator) rule(operations []string) Object {
	group, version, resource := resourceOf(g.subject())
	resources := []string{resource, resource, resource, resource, resource + "/*", resource + "/status", resource + "/scale", "*", "*", "*/*", "*/status"}
	chosen := List{pick1(g, resources)}
	if chosen[0] == resource && g.chance(2) {
		chosen = append(chosen, resource+"/status")
	}
	rule := Object{
		"apiGroups": List{pick1(g, []string{group, group, group, "*"})}, "apiVersions": List{pick1(g, []string{version, version, version, "*"})},
		"operations": list(operations), "resources": chosen,
	}
	if g.aboutAutoscalers() && !g.chance(30) {
		rule["apiGroups"], rule["apiVersions"] = List{group}, List{version}
	}
	if len(operations) > 1 && g.chance(2) {
		rule["operations"] = List{"*"}
	}
	switch evenly(g, "rule", []string{"scope", "resourceNames", "", "", "", "", "", ""}) {
	case "scope":
		rule["scope"] = evenly(g, "scope", []string{"*", "Namespaced", "Cluster"})
	case "resourceNames":
		rule["resourceNames"] = List{"stored", placeholder + "-a"}
	}
	return rule
}

// matchResources returns a binding's matchResources.
func (g *generator) matchResources(operations []string) Object {
	match := Object{}
	by := evenly(g, "binding narrows", []string{"namespaceSelector", "objectSelector", "excludeResourceRules", "resourceRules", ""})
	g.narrow(match, operations, by)
	if by == "resourceRules" {
		match[by] = List{g.rule(operations)}
	}
	return match
}
