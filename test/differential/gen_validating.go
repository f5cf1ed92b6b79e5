package differential

import (
	"fmt"
	"slices"
	"strings"
)

// The lawful combinations of validationActions.
var actions = []List{{"Deny"}, {"Deny"}, {"Deny"}, {"Warn"}, {"Audit"}, {"Warn", "Audit"}, {"Deny", "Audit"}}

var reasons = []string{"", "", "Invalid", "Forbidden", "RequestEntityTooLarge"}

// draft is a policy that is being written.
type draft struct {
	name     string
	spec     Object
	scope    scope
	features []string
	// paramKind is empty for a policy without parameters.
	paramKind string
	ref       Object
}

// begin writes what validating and mutating policies have in common.
func (g *generator) begin(name string, operations []string) *draft {
	d := &draft{name: placeholder + "-" + name, spec: Object{}, scope: scope{object: "object", authorizer: g.chance(3)}}
	if slices.Contains(operations, "DELETE") && !g.chance(4) {
		d.scope.object = "(object == null ? oldObject : object)"
	}
	constraints, features, isolated := g.constraints(operations)
	d.spec["matchConstraints"] = constraints
	d.features = features
	failure := pick1(g, []string{"", "Fail", "Ignore"})
	if failure != "" {
		d.spec["failurePolicy"] = failure
	}
	if g.chance(3) {
		d.useParams(g)
	}
	if g.chance(3) {
		d.useVariables(g)
	}
	d.addConditions(g, isolated)
	return d
}

func (d *draft) useParams(g *generator) {
	d.paramKind = pick1(g, []string{"ConfigMap", "Setting", "Setting", "ClusterSetting", "ClusterSetting"})
	version := "differential.example.com/v1"
	if d.paramKind == "ConfigMap" {
		version = "v1"
	}
	if g.chance(40) {
		d.paramKind = "NobodyServesThis"
	}
	d.spec["paramKind"] = Object{"apiVersion": version, "kind": d.paramKind}
	d.scope.hasParams = true
	d.ref = d.paramRef(g)
	d.features = append(d.features, "paramKind "+d.paramKind, d.refFeature(g))
}

func (d *draft) useVariables(g *generator) {
	var variables List
	for i := range 1 + g.IntN(2) {
		text, _ := g.text(d.scope) // which may use the variable before
		name := fmt.Sprintf("v%d", i)
		variables = append(variables, Object{"name": name, "expression": text})
		d.scope.variables = append(d.scope.variables, name)
	}
	d.spec["variables"] = variables
}

func (d *draft) addConditions(g *generator, isolated isolation) {
	var conditions List
	if isolated == byCondition {
		conditions = append(conditions, Object{"name": "own", "expression": ownRequest})
	}
	for i := range pick1(g, []int{0, 0, 0, 1, 2}) {
		withoutVariables := d.scope // which matchConditions don't have
		withoutVariables.variables = nil
		c := g.condition(withoutVariables)
		if g.chance(2) { // conditions that leave most requests alone show little
			c.expression = "(" + c.expression + ") || request.userInfo.username != ''"
		}
		conditions = append(conditions, Object{"name": fmt.Sprintf("c%d", i), "expression": c.expression})
	}
	if len(conditions) > 0 {
		d.spec["matchConditions"] = conditions
		d.features = append(d.features, "matchConditions")
	}
}

// validating returns a validating policy and its bindings.
func (g *generator) validating(name string) []Object {
	operations := pick1(g, [][]string{{"CREATE", "UPDATE"}, {"CREATE", "UPDATE"}, {"CREATE", "UPDATE", "DELETE"}, {"CREATE", "UPDATE", "DELETE"}, {"UPDATE"}, {"CREATE"}, {"DELETE"}})
	d := g.begin(name, operations)
	var validations List
	for range 2 + g.IntN(3) {
		validations = append(validations, d.validation(g))
	}
	d.spec["validations"] = validations
	if g.chance(3) {
		d.addAuditAnnotations(g)
	}
	objects := []Object{d.object("ValidatingAdmissionPolicy")}
	for i := range 1 + g.IntN(5)/4 {
		action := pick1(g, actions)
		spec := Object{"policyName": d.name, "validationActions": action}
		objects = append(objects, d.binding(g, "ValidatingAdmissionPolicyBinding", i, spec))
	}
	return objects
}

func (d *draft) validation(g *generator) Object {
	c := g.condition(d.scope)
	if g.chance(6) {
		c = condition{expression: "false"}
	}
	features := append(slices.Clone(d.features), c.features...)
	validation := Object{"expression": c.expression}
	if g.chance(6) {
		validation["expression"] = "// several\n" + c.expression
		features = append(features, "multi-line expression")
	}
	reason := pick1(g, reasons)
	if reason != "" {
		validation["reason"] = reason
		features = append(features, "reason "+reason)
	}
	message, expression := g.message(d.scope, features)
	if message == "" && strings.Contains(validation["expression"].(string), "\n") {
		message = marks(features) + " no"
	}
	if message != "" {
		validation["message"] = message
	}
	if expression != "" {
		validation["messageExpression"] = expression
	}
	return validation
}

// addAuditAnnotations adds audit annotations, some of which are null or fail.
func (d *draft) addAuditAnnotations(g *generator) {
	var all List
	for i := range 1 + g.IntN(2) {
		text, source := g.text(d.scope)
		value := pick1(g, []string{
			quote(mark("auditAnnotations")+mark(source)) + " + " + text,
			quote(mark("auditAnnotations")) + " + " + text,
			"null",
			"string(int(" + text + "))",
			"string(" + d.scope.object + ".metadata.annotations['nobody/has-this'])",
		})
		all = append(all, Object{"key": fmt.Sprintf("key-%d", i), "valueExpression": value})
	}
	d.spec["auditAnnotations"] = all
}

// object returns the policy. Its annotation lists the features, for what shows by silence.
func (d *draft) object(kind string) Object {
	return Object{
		"apiVersion": "admissionregistration.k8s.io/v1", "kind": kind,
		"metadata": Object{"name": d.name}, "spec": d.spec,
	}
}
