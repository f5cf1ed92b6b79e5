package differential

import (
	"fmt"
	"slices"
	"strings"
)

// The lawful combinations of validationActions.
var actions = []List{{"Deny"}, {"Deny"}, {"Warn"}, {"Audit"}, {"Warn", "Audit"}, {"Deny", "Audit"}}

var reasons = []string{"", "", "Invalid", "Forbidden", "RequestEntityTooLarge"}

// draft is a policy that is being written.
type draft struct {
	name  string
	spec  Object
	scope scope
	// paramKind is empty for a policy without parameters.
	paramKind string
	ref       Object
}

// begin writes what validating and mutating policies have in common.
func (g *generator) begin(name string, operations []string, mutates bool) *draft {
	d := &draft{name: placeholder + "-" + name, spec: Object{}, scope: scope{object: "object"}}
	if slices.Contains(operations, "DELETE") && !g.chance(4) {
		d.scope.object = current(g)
	}
	failure := evenly(g, "failurePolicy", []string{"", "Fail", "Ignore"})
	if failure != "" {
		d.spec["failurePolicy"] = failure
	}
	if g.chance(5) {
		d.useParams(g)
	}
	if g.chance(3) {
		d.useVariables(g)
	}
	var isolated isolation
	d.spec["matchConstraints"], isolated = g.constraints(operations, !mutates && d.paramKind == "")
	d.addConditions(g, isolated)
	return d
}

func (d *draft) useParams(g *generator) {
	d.paramKind = evenly(g, "paramKind", []string{"ConfigMap", "Setting", "ClusterSetting", "ConfigMap", "Setting", "ClusterSetting", "ConfigMap", "NobodyServesThis"})
	version := "differential.example.com/v1"
	if d.paramKind == "ConfigMap" {
		version = "v1"
	}
	d.spec["paramKind"] = Object{"apiVersion": version, "kind": d.paramKind}
	d.scope.hasParams = true
	d.ref = d.paramRef(g)
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
	}
}

// validating returns a validating policy and its bindings.
func (g *generator) validating(name string) []Object {
	operations := pick1(g, [][]string{{"CREATE", "UPDATE"}, {"CREATE", "UPDATE"}, {"CREATE", "UPDATE", "DELETE"}, {"CREATE", "UPDATE", "DELETE"}, {"UPDATE"}, {"CREATE"}, {"DELETE"}})
	d := g.begin(name, operations, false)
	var validations List
	for range 2 + g.IntN(3) {
		validations = append(validations, d.validation(g))
	}
	d.spec["validations"] = validations
	if g.chance(3) {
		d.addAuditAnnotations(g)
	}
	return d.validatingObjects(g)
}

func (d *draft) validatingObjects(g *generator) []Object {
	objects := []Object{d.object("ValidatingAdmissionPolicy")}
	for i := range 1 + g.IntN(5)/4 {
		spec := Object{"policyName": d.name, "validationActions": evenly(g, "validationActions", actions)}
		objects = append(objects, d.binding(g, "ValidatingAdmissionPolicyBinding", i, spec))
	}
	return objects
}

func (d *draft) validation(g *generator) Object {
	if g.chance(6) {
		return d.never(g)
	}
	c := g.condition(d.scope)
	return d.validationOf(g, c)
}

// never returns a validation that always fails.
func (d *draft) never(g *generator) Object { return d.validationOf(g, condition{expression: "false"}) }

func (d *draft) validationOf(g *generator, c condition) Object {
	features := c.features
	validation := Object{"expression": c.expression + " // " + marks(features)} // which messages of errors repeat
	if evenly(g, "multi-line expression", []bool{true, false, false, false, false, false}) {
		validation["expression"] = "// several\n" + validation["expression"].(string)
		features = append(features, "multi-line expression")
	}
	reason := evenly(g, "reason", reasons)
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
		value := evenly(g, "auditAnnotation", []string{
			quote(mark("auditAnnotations")+mark(source)) + " + " + text,
			quote(mark("auditAnnotations")) + " + " + text,
			"null",
			"string(int(" + text + "))",
			d.failingText(),
		})
		all = append(all, Object{"key": fmt.Sprintf("key-%d", i), "valueExpression": value})
	}
	d.spec["auditAnnotations"] = all
}

func (d *draft) failingText() string {
	return "string(" + d.scope.object + ".metadata.annotations['nobody/has-this']) // " + mark("audit annotation that fails")
}

// current is the object of requests that may be deletions. Comparing an object with null beside a call of size() makes the
// plugin wary of the size.
func current(g *generator) string {
	if g.chance(6) {
		return "(object == null ? oldObject : object)"
	}
	return "(request.operation == 'DELETE' ? oldObject : object)"
}

// object returns the policy.
func (d *draft) object(kind string) Object {
	return Object{
		"apiVersion": "admissionregistration.k8s.io/v1", "kind": kind,
		"metadata": Object{"name": d.name}, "spec": d.spec,
	}
}
