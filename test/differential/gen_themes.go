package differential

import "fmt"

// everything matches all of the group's kinds in its own namespaces.
func (g *generator) everything(name string, operations ...string) *draft {
	d := &draft{name: placeholder + "-" + name, scope: scope{object: "object"}}
	d.spec = Object{
		"matchConstraints": Object{
			"namespaceSelector": groupSelector(),
			"resourceRules":     List{Object{"apiGroups": List{"*"}, "apiVersions": List{"*"}, "operations": list(operations), "resources": List{"*"}}},
		},
		"matchConditions":    List{Object{"name": "own", "expression": ownRequest}},
		"reinvocationPolicy": "Never",
	}
	return d
}

// sameKey has several mutating policies that write the same key, mostly in a way in which their order does not
// matter: each adds the same value, or its own part only where it is not there.
func (g *generator) sameKey() {
	path := "'/metadata/annotations/' + jsonpatch.escapeKey('downscaler/uptime')"
	value := mark("several MAPs on one key")
	for i := range 2 + g.IntN(2) {
		d := g.everything(fmt.Sprintf("m%d", i), "CREATE", "UPDATE")
		d.spec["reinvocationPolicy"] = pick1(g, []string{"Never", "IfNeeded"})
		own := value
		if g.chance(16) {
			own = fmt.Sprintf("%s %d", mark("several MAPs in conflict"), i)
		}
		d.spec["mutations"] = List{pick1(g, []Object{
			applyConfiguration("Object{metadata: Object.metadata{annotations: {'downscaler/uptime': " + quote(own) + "}}}"),
			jsonPatch("has(object.metadata.annotations) ? [JSONPatch{op: 'add', path: " + path + ", value: " + quote(own) + "}] : [JSONPatch{op: 'add', path: '/metadata/annotations', value: {'downscaler/uptime': " + quote(own) + "}}]"),
		})}
		g.add(d.mutatingObjects(g))
	}
}

// reinvoked has a policy that acts on what another one adds. With IfNeeded it does so in every order.
func (g *generator) reinvoked() {
	first := g.everything("m0", "CREATE", "UPDATE")
	first.spec["reinvocationPolicy"] = "IfNeeded"
	if g.chance(10) {
		first.spec["reinvocationPolicy"] = "Never"
	}
	first.spec["mutations"] = List{applyConfiguration("object.metadata.?annotations[?'first'].hasValue() ? Object{metadata: Object.metadata{annotations: {'second': " + quote(mark("reinvocation")) + "}}} : Object{}")}
	second := g.everything("m1", "CREATE", "UPDATE")
	second.spec["mutations"] = List{applyConfiguration("Object{metadata: Object.metadata{annotations: {'first': 'y'}}}")}
	g.add(first.mutatingObjects(g))
	g.add(second.mutatingObjects(g))
}

// expensive has a policy whose expressions cost more than the API server pays for.
func (g *generator) expensive() {
	d := g.everything("v0", "CREATE", "UPDATE")
	delete(d.spec, "reinvocationPolicy")
	d.features = []string{"expensive"}
	d.spec["failurePolicy"] = pick1(g, []string{"Fail", "Ignore"})
	costly := "lists.range(300).all(a, lists.range(300).all(b, lists.range(300).all(c, a + b + c < 1000)))"
	if g.chance(2) { // a budget for one expression, and one for all of them
		costly = "lists.range(40).all(a, lists.range(40).all(b, lists.range(40).all(c, a + b + c < 1000)))"
	}
	validation := Object{"expression": costly, "message": marks(d.features) + " never said"}
	if g.chance(3) {
		d.spec["matchConditions"] = append(d.spec["matchConditions"].(List), Object{"name": "costly", "expression": costly})
	}
	d.spec["validations"] = List{validation}
	for range g.IntN(12) {
		d.spec["validations"] = append(d.spec["validations"].(List), Object{"expression": costly, "message": "never said"})
	}
	d.spec["validations"] = append(d.spec["validations"].(List), d.validation(g))
	g.add([]Object{d.object("ValidatingAdmissionPolicy"), d.binding(g, "ValidatingAdmissionPolicyBinding", 0, Object{"policyName": d.name, "validationActions": pick1(g, actions)})})
}
