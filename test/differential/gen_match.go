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

// constraints returns a policy's matchConstraints, the features they use, and how the policy is isolated.
func (g *generator) constraints(operations []string) (Object, []string, isolation) {
	isolated := pick1(g, []isolation{byNamespace, byNamespace, byObject, byCondition})
	clusterScoped := slices.ContainsFunc(g.subjects, func(s subject) bool { return s.kind() == "Plan" })
	if clusterScoped && isolated == byNamespace {
		isolated = byCondition
	}
	rules := List{g.rule(operations)}
	for g.chance(4) {
		rules = append(rules, g.rule(operations))
	}
	constraints := Object{"resourceRules": rules}
	features := []string{"resourceRules"}
	g.narrow(constraints, &features, operations)
	switch isolated {
	case byNamespace:
		addLabels(constraints, "namespaceSelector")
		features = append(features, "namespaceSelector")
	case byObject:
		addLabels(constraints, "objectSelector")
		features = append(features, "objectSelector")
	case byCondition:
	}
	return constraints, features, isolated
}

// narrow adds selectors, exclusions and a match policy.
func (g *generator) narrow(constraints Object, features *[]string, operations []string) {
	add := func(field string, value any) {
		constraints[field] = value
		*features = append(*features, field)
	}
	if slices.ContainsFunc(g.subjects, severalVersions) && !g.chance(20) { // only the API server converts between versions
		add("matchPolicy", "Exact")
	} else if g.chance(3) {
		policy := pick1(g, []string{"Exact", "Equivalent"})
		add("matchPolicy", policy)
		*features = append(*features, "matchPolicy "+policy)
	}
	if g.chance(8) {
		add("namespaceSelector", g.selector("team"))
	}
	if g.chance(8) {
		add("objectSelector", g.selector(pick1(g, g.labels)))
	}
	if g.chance(8) {
		add("excludeResourceRules", List{g.rule(some(g, operations))})
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
	return pick1(g, []Object{
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
	if len(operations) > 1 && g.chance(2) {
		rule["operations"] = List{"*"}
	}
	if g.chance(6) {
		rule["scope"] = pick1(g, []string{"*", "Namespaced", "Cluster"})
	}
	if g.chance(12) {
		rule["resourceNames"] = List{"stored", placeholder + "-a"}
	}
	return rule
}

// matchResources returns a binding's matchResources.
func (g *generator) matchResources(operations []string) Object {
	match := Object{}
	var features []string
	g.narrow(match, &features, operations)
	if g.chance(4) {
		match["resourceRules"] = List{g.rule(some(g, operations))}
	}
	return match
}
