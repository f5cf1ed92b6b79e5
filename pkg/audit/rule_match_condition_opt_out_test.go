package audit

import (
	"strings"
	"testing"
)

// unless is a guard with a condition on the object beside that about annotations.
func unless(condition string) guard {
	return guard{name: "g", resources: everyResource, condition: "(" + touched + ") && (" + condition + ")"}
}

func TestMatchConditionOptOut(t *testing.T) {
	variable := exempting("false")
	for name, test := range map[string]struct {
		guard                 any
		field, says, evidence string
	}{
		"an annotation": {unless(`!("guard.example/skip" in object.metadata.annotations)`), "", "the annotation guard.example/skip: true, which an ordinary user gives it in an update before, in the same update and in its creation",
			"deployments.apps/web -n team-a --set downscaler/exclude=true --past-authorization --set guard.example/skip=true"},
		"an annotation's value":             {unless(`object.metadata.?annotations[?"guard.example/mode"].orValue("on") != "off"`), "", "the annotation guard.example/mode: off", "--set guard.example/mode=off"},
		"an annotation without a prefix":    {unless(`!has(object.metadata.annotations.skip)`), "", "the annotation skip: true", `printf %s '{"apiVersion":"apps/v1","kind":"Deployment"`},
		"any annotation of a prefix":        {unless(`!object.metadata.annotations.exists(k, k.startsWith("guard.example/"))`), "", "guard.example/opt-out: true", "--set guard.example/opt-out=true"},
		"a label":                           {unless(`!has(object.metadata.labels) || !("skip" in object.metadata.labels)`), "", "the label skip: true", `"labels":{"skip":"true"`},
		"a label taken out":                 {unless(`has(object.metadata.labels) && has(object.metadata.labels.team) && object.metadata.labels.team == "a"`), "", "no label team, which an ordinary user gives it in an update before, in the same update and in its creation", `"name":"compliance-probe"`},
		"the name":                          {unless(`!object.metadata.name.startsWith("tmp-")`), "", "the name tmp-x, which an ordinary user gives it in its creation", `"name":"tmp-x"`},
		"the name's pattern":                {unless(`!object.metadata.name.matches("^load-[0-9]+$")`), "", "the name load-0", `"name":"load-0"`},
		"the name's beginning as a pattern": {unless(`!object.metadata.name.matches("^canary-")`), "", "the name canary-x", `"name":"canary-x"`},
		"the request's name":                {unless(`!request.name.startsWith("sys-")`), "", "the name sys-x, which an ordinary user gives it in its creation", `"name":"sys-x"`},
		"its own name in an annotation": {unless(`object.metadata.?annotations["owner"].orValue("") != request.userInfo.username`), "", "the annotation owner: nobody.ordinary.invalid",
			`as-user nobody.ordinary.invalid`},
		"its own name in a label": {unless(`object.metadata.?labels["owner"].orValue("") != request.userInfo.username`), "", "the label owner: nobody.ordinary.invalid", `"labels":{"owner":"nobody.ordinary.invalid"`},
		"the field manager": {unless(`!(has(request.options.fieldManager) && request.options.fieldManager == "helm")`), "", "the field manager helm, which an ordinary user gives it in the same update and in its creation",
			"deployments.apps/web -n team-a --set downscaler/exclude=true --past-authorization --field-manager helm"},
		"a finalizer":        {unless(`!(has(object.metadata.finalizers) && "x/y" in object.metadata.finalizers)`), "", `metadata.finalizers: ["x/y"]`, `"finalizers":["x/y"]`},
		"an owner":           {unless(`!(has(object.metadata.ownerReferences) && object.metadata.ownerReferences.exists(o, o.kind == "Rollout"))`), "", `"kind":"Rollout"`, `"ownerReferences":[{`},
		"any owner":          {unless(`!(has(object.metadata.ownerReferences) && object.metadata.ownerReferences.size() > 0)`), "", `metadata.ownerReferences: [{`, `"ownerReferences":[{`},
		"a switch":           {unless(`!(has(object.spec.paused) && object.spec.paused)`), "", "spec.paused: true", `"spec":{"paused":true}`},
		"a number":           {unless(`!(has(object.spec.replicas) && object.spec.replicas > 7)`), "", "spec.replicas: 8", `"spec":{"replicas":8}`},
		"a template's label": {unless(`!("break" in object.spec.template.metadata.labels)`), "", `"break":"true"`, `"template":{"metadata":{"labels":{`},
		"a validation": {func() guard {
			g := exempting("false")
			g.validation = `object.metadata.?labels[?"skip"].orValue("") == "yes"`
			return g
		}(), "spec.validations", "The validations let an object out of the guard by the label skip: yes", `"skip":"yes"`},
		"a variable": {strings.Replace(strings.Replace(variable.String(), "  validations:", "  variables: [{name: labels, expression: 'object.metadata.?labels.orValue({})'}]\n  validations:", 1), `expression: "false"`, `expression: "variables.labels.?skip.orValue('no') == 'yes'"`, 1),
			"spec.validations", "the label skip: yes", `"skip":"yes"`},
	} {
		t.Run(name, func(t *testing.T) {
			f := one(t, auditOf(t, test.guard, teamA, labelled(deployment("team-a", "web", ""), "team: a")), "match-condition-opt-out", test.evidence)
			field := "spec.matchConditions[0].expression"
			if test.field != "" {
				field = test.field
			}
			if !strings.Contains(f.Message, test.says) || f.Severity != High || f.Subject != (Subject{Kind: kindValidating, Name: "g", Field: field}) {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestMatchConditionOptOutOfMutations(t *testing.T) {
	g := unless(`!("guard.example/skip" in object.metadata.annotations)`)
	g.mutating = true
	f := one(t, auditOf(t, g, teamA, deployment("team-a", "web", "")), "match-condition-opt-out", "--set guard.example/skip=true")
	if f.Subject.Kind != kindMutating {
		t.Errorf("%+v", f)
	}
}

func TestMatchConditionOptOutSilent(t *testing.T) {
	second := exempting("false")
	second.name = "h"
	labels := exempting("false")
	labels.name, labels.condition, labels.validation = "labels", "true", "oldObject == null ? !has(object.metadata.labels) || !('skip' in object.metadata.labels) : object.metadata.?labels == oldObject.metadata.?labels"
	for name, manifests := range map[string][]any{
		"hardened":                 {hardened(t)},
		"like the chart":           {chartLike(false)},
		"like the chart, mutating": {chartLike(true)},
		"the chart's":              {rendered(t, false)},
		"the requester alone":      {exempting(userMatching("^user1$") + ` || "skip" in request.userInfo.groups`)},
		"what can't be changed":    {unless(`object.metadata.namespace != "monitoring"`)},
		"it makes it stricter": {exempting("false"), func() guard {
			g := unless(`"guard.example/strict" in object.metadata.annotations`)
			g.name = "s"
			return g
		}()},
		"another policy stops it":          {unless(`!has(object.metadata.labels) || !("skip" in object.metadata.labels)`), second},
		"the label is guarded":             {unless(`!has(object.metadata.labels) || !("skip" in object.metadata.labels)`), labels},
		"a label that a selector asks for": {selectingObjects(exempting("false"), `matchExpressions: [{key: skip, operator: DoesNotExist}]`)},
	} {
		t.Run(name, func(t *testing.T) {
			report := auditOf(t, append(manifests, teamA, deployment("team-a", "web", ""))...)
			silent(t, report, "match-condition-opt-out")
			for _, gap := range report.Assumptions {
				if told := strings.Contains(gap.What, "no way out"); told && !strings.Contains(name, "label") && !strings.Contains(name, "stops it") {
					t.Errorf("%+v", gap)
				}
			}
		})
	}
}

// TestMatchConditionOptOutUntold: what no value is made for is told, with the expression that reads it.
func TestMatchConditionOptOutUntold(t *testing.T) {
	for condition, field := range map[string]string{
		`object.spec.selector.matchLabels["app"] != "y"`:                                        "object.spec.selector.matchLabels.app",
		`object.spec.template.spec.containers.all(c, !c.image.startsWith("x/"))`:                "object.spec.template.spec.containers.*.image",
		`object.metadata.labels["app"].size() < 40`:                                             "object.metadata.labels.app",
		`!has(namespaceObject.metadata.labels) || !("free" in namespaceObject.metadata.labels)`: "namespaceObject.metadata.labels.free",
		`!has(object.metadata.deletionTimestamp)`:                                               "object.metadata.deletionTimestamp",
		`object.metadata.?annotations[?"a.example/b"].orValue("").size() < 40`:                  "object.metadata.annotations.a.example/b",
		`!has(request.options.fieldValidation) || request.options.fieldValidation != "Warn"`:    "request.options.fieldValidation",
	} {
		g := unless(condition)
		g.resources, g.failure = []string{"apps/deployments"}, "Fail"
		report := auditOf(t, g, teamA, labelled(deployment("team-a", "web", ""), "app: a"))
		silent(t, report, "match-condition-opt-out")
		told := false
		for _, gap := range report.Assumptions {
			told = told || gap.What == "no way out of ValidatingAdmissionPolicy g by "+field && strings.Contains(gap.Why, "spec.matchConditions[0].expression depends on it") && strings.Contains(gap.Why, condition)
		}
		if !told {
			t.Errorf("%s: %v", condition, report.Assumptions)
		}
	}
}
