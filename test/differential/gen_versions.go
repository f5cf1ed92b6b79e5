package differential

import "fmt"

// onSubresource has policies that match the kind's subresources only.
func (g *generator) onSubresource() {
	switch evenly(g, "on subresource", []string{"validating", "mutating", "both"}) {
	case "validating":
		g.add(g.validating("v0"))
		g.add(g.validating("v1"))
	case "mutating":
		g.add(g.mutating("m0"))
	case "both":
		g.both()
	}
	g.matchSubresources("*")
}

// onScale has a policy that applies something on a Scale, of which the API server has no schema.
func (g *generator) onScale() {
	d := g.everything("m0", "UPDATE")
	d.mutate(g)
	d.spec["mutations"] = List{applyConfiguration(d.applyConfiguration(g))}
	d.spec["failurePolicy"] = evenly(g, "failurePolicy", []string{"Fail", "Fail", "Ignore"})
	delete(d.spec["matchConstraints"].(Object), "objectSelector") // a Scale has no labels
	g.add(d.mutatingObjects(g))
	g.matchSubresources("scale")
}

// matchSubresources makes all policies match subresources of the group's kind and nothing else.
func (g *generator) matchSubresources(subresource string) {
	for _, policy := range g.group.Policies {
		if constraints, found := at(policy, "spec", "matchConstraints").(Object); found {
			group, _, resource := resourceOf(g.subjects[0])
			constraints["resourceRules"] = List{Object{"apiGroups": List{group}, "apiVersions": List{"*"}, "operations": List{"UPDATE"}, "resources": List{resource + "/" + subresource}}}
		}
	}
}

// converted has policies that match one version of a kind that is written in two.
func (g *generator) converted() {
	group, _, resource := resourceOf(g.subjects[0])
	versions, matching := []string{"v1", "v1beta1"}, []string{"Equivalent", "Equivalent", "Equivalent", "Exact"}
	if !g.subjects[0].isConvertible() { // then only the API server converts
		versions, matching = []string{"v1", "v2"}, []string{"Exact", "Exact", "Exact", "Exact", "Exact", "Equivalent"}
	}
	for i, version := range versions {
		d := g.everything(fmt.Sprintf("v%d", i), "CREATE", "UPDATE", "DELETE")
		d.scope.object = current(g)
		d.constrain("resourceRules", inVersion(group, version, resource, "CREATE", "UPDATE", "DELETE"))
		d.constrain("matchPolicy", evenly(g, "conversion", matching))
		here := fmt.Sprintf("%s.apiVersion == '%s/%s'", d.scope.object, group, version)
		d.spec["validations"] = List{
			Object{"expression": "!(" + here + ") || request.requestKind.version != '" + version + "'", "message": mark("policy in the request's version")},
			Object{"expression": "!(" + here + ") || request.requestKind.version == '" + version + "'", "message": mark("policy in another version than the request's")},
			d.never(g),
		}
		g.add(d.validatingObjects(g))
	}
	if g.chance(2) {
		version := pick1(g, versions)
		m := g.everything("m0", "CREATE", "UPDATE")
		m.mutate(g)
		m.constrain("resourceRules", inVersion(group, version, resource, "CREATE", "UPDATE"))
		if !g.subjects[0].isConvertible() {
			m.constrain("matchPolicy", "Exact")
		}
		m.spec["mutations"] = List{jsonPatch("[JSONPatch{op: 'add', path: '/metadata/labels', value: {'group': '" + placeholder + "', 'written-" + version + "': request.kind.version}}]")}
		g.add(m.mutatingObjects(g))
	}
}

func inVersion(group, version, resource string, operations ...string) List {
	return List{Object{"apiGroups": List{group}, "apiVersions": List{version}, "operations": list(operations), "resources": List{resource}}}
}
