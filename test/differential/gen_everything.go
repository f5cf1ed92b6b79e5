package differential

import (
	"fmt"
	"slices"
)

// everything matches all of the group's kinds in its own namespaces.
func (g *generator) everything(name string, operations ...string) *draft {
	d := &draft{name: placeholder + "-" + name, scope: scope{object: "object"}}
	d.spec = Object{
		"matchConstraints": Object{
			"namespaceSelector": groupSelector(),
			"resourceRules":     List{Object{"apiGroups": List{"*"}, "apiVersions": List{"*"}, "operations": list(operations), "resources": List{"*"}}},
		},
	}
	d.constrain("objectSelector", groupSelector()) // namespaceSelectors never leave out what is cluster-scoped
	return d
}

// constrain sets a field of matchConstraints.
func (d *draft) constrain(field string, value any) {
	d.spec["matchConstraints"].(Object)[field] = value
}

// mutate makes a mutating policy of a draft.
func (d *draft) mutate(g *generator) {
	d.spec["reinvocationPolicy"] = evenly(g, "reinvocationPolicy", []string{"Never", "IfNeeded"})
}

// sameKey has several mutating policies that write the same key, mostly in a way in which their order does not
// matter: each adds the same value, or its own part only where it is not there.
func (g *generator) sameKey() {
	path := "'/metadata/annotations/' + jsonpatch.escapeKey('downscaler/uptime')"
	inConflict := evenly(g, "conflict", slices.Concat([]bool{true}, make([]bool, 14)))
	for i := range 2 + g.IntN(2) {
		d := g.everything(fmt.Sprintf("m%d", i), "CREATE", "UPDATE")
		d.mutate(g)
		own := mark("several MAPs on one key")
		if inConflict {
			own = fmt.Sprintf("%s %d", own, i)
		}
		d.spec["mutations"] = List{pick1(g, []Object{
			applyConfiguration("Object{metadata: Object.metadata{annotations: {'downscaler/uptime': " + quote(own) + "}}}"),
			jsonPatch("has(object.metadata.annotations) ? [JSONPatch{op: 'add', path: " + path + ", value: " + quote(own) + "}] : [JSONPatch{op: 'add', path: '/metadata/annotations', value: {'downscaler/uptime': " + quote(own) + "}}]"),
		})}
		g.add(d.mutatingObjects(g))
	}
}

// reinvokedAlone has a policy that acts on what it added itself.
func (g *generator) reinvokedAlone() {
	g.annotating("m0", "IfNeeded", after("first", annotate("second", mark("reinvocation")), annotate("first", mark("first invocation"))))
}

// notReinvoked has a policy that would act on what it added itself.
func (g *generator) notReinvoked() {
	g.annotating("m0", "Never", after("first", annotate("second", "never"), annotate("first", mark("no reinvocation"))))
}

// reinvokedByAnother has a policy that acts on what another one adds, in every order.
func (g *generator) reinvokedByAnother() {
	g.annotating("m0", "IfNeeded", after("first", annotate("second", mark("reinvocation by another policy")), "Object{}"))
	g.annotating("m1", "Never", annotate("first", "y"))
}

// annotating adds a policy with one ApplyConfiguration.
func (g *generator) annotating(name, reinvocation, expression string) {
	d := g.everything(name, "CREATE", "UPDATE")
	d.spec["reinvocationPolicy"] = reinvocation
	d.spec["mutations"] = List{applyConfiguration(expression)}
	g.add(d.mutatingObjects(g))
}

func annotate(key, value string) string {
	return "Object{metadata: Object.metadata{annotations: {" + quote(key) + ": " + quote(value) + "}}}"
}

// after is one configuration for objects with an annotation, and another one for those without.
func after(key, then, otherwise string) string {
	return "object.metadata.?annotations[?" + quote(key) + "].hasValue() ? " + then + " : " + otherwise
}

// overLimit has a policy with an expression that costs more than the API server pays for one.
func (g *generator) overLimit() { g.expensive(costlyFor(1100), 1) }

// overBudget has a policy whose expressions together cost more than the API server pays for all of them.
func (g *generator) overBudget() { g.expensive(costlyFor(900), 16) }

func (g *generator) expensive(expression string, n int) {
	d := g.everything("v0", "CREATE", "UPDATE")
	d.spec["failurePolicy"] = evenly(g, "failurePolicy", []string{"Fail", "Fail", "Fail", "Ignore"})
	if n == 1 && g.chance(4) {
		d.spec["matchConditions"] = List{Object{"name": "costly", "expression": expression}}
	}
	var validations List
	for range n {
		validations = append(validations, Object{"expression": expression, "message": "never said"})
	}
	d.spec["validations"] = append(validations, d.validation(g))
	g.add(d.validatingObjects(g))
}

// costlyFor looks for a long text in a long text, which costs much and takes no time.
func costlyFor(n int) string {
	return fmt.Sprintf("[lists.range(%d).map(i, 'abcdefghij').join('')].exists(s, !s.contains(s + 'x'))", n)
}
