package differential

import (
	"fmt"
	"slices"
	"strings"
)

func (g *generator) validatingOnly() {
	for i := range 1 + g.IntN(2) {
		g.add(g.validating(fmt.Sprintf("v%d", i)))
	}
}

func (g *generator) mutatingOnly() { g.add(g.mutating("m0")) }

func (g *generator) both() {
	g.add(g.mutating("m0"))
	g.add(g.validating("v0"))
}

// patched has a policy whose JSON patches find what they look for.
func (g *generator) patched() {
	d := g.everything("m0", "CREATE", "UPDATE")
	d.mutate(g)
	one, other := evenly(g, "key", g.keys), evenly(g, "key", g.keys)
	d.spec["mutations"] = List{
		applyConfiguration("Object{metadata: Object.metadata{annotations: {" + quote(one) + ": 'true', " + quote(other) + ": 'true'}, labels: {'more': 'b'}}}"),
		jsonPatch(strings.ReplaceAll(d.jsonPatch(g, one), "seen", "seen0")),
		jsonPatch(strings.ReplaceAll(d.jsonPatch(g, other), "seen", "seen1")),
	}
	g.add(d.mutatingObjects(g))
}

// configured has a policy with nothing but ApplyConfigurations.
func (g *generator) configured() {
	d := g.everything("m0", "CREATE", "UPDATE")
	d.mutate(g)
	d.spec["mutations"] = List{
		applyConfiguration(strings.ReplaceAll(d.applyConfiguration(g), "seen", "seen0")),
		applyConfiguration(strings.ReplaceAll(d.applyConfiguration(g), "seen", "seen1")),
	}
	g.add(d.mutatingObjects(g))
}

// severalDenials has policies that all deny most requests, with one of whose messages the API server answers.
func (g *generator) severalDenials() {
	for i := range 3 + g.IntN(2) {
		g.add(g.validating(fmt.Sprintf("v%d", i)))
	}
}

// parametrized has policies that match all that the group does, so that what becomes of it is up to the parameters.
func (g *generator) parametrized() {
	for i := range 2 {
		d := g.everything(fmt.Sprintf("v%d", i), "CREATE", "UPDATE", "DELETE")
		d.scope.object = current(g)
		d.spec["failurePolicy"] = pick1(g, []string{"Fail", "Fail", "Fail", "Ignore"})
		d.useParams(g)
		told := Object{"expression": "params.data.limit == 'none'", "messageExpression": quote(mark("params")) + " + params.data.message"}
		d.spec["validations"] = List{told, d.validation(g), d.validation(g), d.never(g)}
		g.add(d.validatingObjects(g))
	}
	if g.chance(3) {
		d := g.everything("m0", "CREATE", "UPDATE")
		d.mutate(g)
		d.useParams(g)
		d.spec["mutations"] = List{jsonPatch(d.jsonPatch(g, g.key())), applyConfiguration(d.applyConfiguration(g))}
		g.add(d.mutatingObjects(g))
	}
}

// scoped has policies that differ in the scope of their rules.
func (g *generator) scoped() {
	for i, scope := range []string{"*", "Namespaced", "Cluster"} {
		d := g.everything(fmt.Sprintf("v%d", i), "CREATE", "UPDATE", "DELETE")
		rules := d.spec["matchConstraints"].(Object)["resourceRules"].(List)
		rules[0].(Object)["scope"] = scope
		d.spec["validations"] = List{d.never(g)}
		g.add(d.validatingObjects(g))
	}
}

// spoken has a policy whose every validation fails, and says so in another way.
func (g *generator) spoken() {
	d := g.everything("v0", "CREATE", "UPDATE")
	var validations List
	for range 4 {
		validations = append(validations, d.never(g))
	}
	d.spec["validations"] = validations
	d.addAuditAnnotations(g)
	g.add(d.validatingObjects(g))
}

// evaluated has a policy that tells what expressions come to.
func (g *generator) evaluated() {
	d := g.everything("v0", "CREATE", "UPDATE")
	var validations List
	for range 4 {
		c := g.predicate(d.scope)
		validation := Object{
			"expression":        "false // " + marks(c.features),
			"messageExpression": quote(marks(c.features)) + " + ((" + c.expression + ") ? ' yes' : ' no')",
		}
		if slices.Contains(c.features, "cel authorizer") { // which messageExpressions don't have
			validation = Object{"expression": "(" + c.expression + ") && false // " + marks(c.features)}
		}
		validations = append(validations, validation)
	}
	d.spec["validations"] = validations
	g.add(d.validatingObjects(g))
}

// noted has a policy that denies nothing unless its audit annotations fail.
func (g *generator) noted() {
	d := g.everything("v0", "CREATE", "UPDATE")
	d.spec["failurePolicy"] = evenly(g, "failurePolicy", []string{"Fail", "Fail", "Fail", "Ignore"})
	d.addAuditAnnotations(g)
	if evenly(g, "failing", []bool{true, true, false}) {
		d.spec["auditAnnotations"] = append(d.spec["auditAnnotations"].(List), Object{"key": "failing", "valueExpression": d.failingText()})
	}
	g.add(d.validatingObjects(g))
}
