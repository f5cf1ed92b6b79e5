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
		"an annotation's value":          {unless(`object.metadata.?annotations[?"guard.example/mode"].orValue("on") != "off"`), "", "the annotation guard.example/mode: off", "--set guard.example/mode=off"},
		"an annotation without a prefix": {unless(`!has(object.metadata.annotations.skip)`), "", "the annotation skip: true", `printf %s '{"apiVersion":"apps/v1","kind":"Deployment"`},
		"any annotation of a prefix":     {unless(`!object.metadata.annotations.exists(k, k.startsWith("guard.example/"))`), "", "guard.example/opt-out: true", "--set guard.example/opt-out=true"},
		"a label":                        {unless(`!has(object.metadata.labels) || !("skip" in object.metadata.labels)`), "", "the label skip: true", `"labels":{"skip":"true"`},
		"a label taken out":              {unless(`has(object.metadata.labels) && has(object.metadata.labels.team) && object.metadata.labels.team == "a"`), "", "no label team, which an ordinary user gives it in an update before, in the same update and in its creation", `"name":"compliance-probe"`},
		"the name":                       {unless(`!object.metadata.name.startsWith("tmp-")`), "", "the name tmp-x, which an ordinary user gives it in its creation", `"name":"tmp-x"`},
		"the name's pattern":             {unless(`!object.metadata.name.matches("^load-[0-9]+$")`), "", "the name load-0", `"name":"load-0"`},
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
			silent(t, auditOf(t, append(manifests, teamA, deployment("team-a", "web", ""))...), "match-condition-opt-out")
		})
	}
}
