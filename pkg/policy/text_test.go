package policy

import (
	"slices"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

func TestTextHoldsEveryExpression(t *testing.T) {
	conditions := []admissionregistrationv1.MatchCondition{{Name: "c", Expression: "condition"}}
	variables := []admissionregistrationv1.Variable{{Name: "v", Expression: "variable"}}
	validating := TextOf(&admissionregistrationv1.ValidatingAdmissionPolicy{Spec: admissionregistrationv1.ValidatingAdmissionPolicySpec{
		MatchConditions: conditions, Variables: variables,
		Validations:      []admissionregistrationv1.Validation{{Expression: "validation", MessageExpression: "message"}},
		AuditAnnotations: []admissionregistrationv1.AuditAnnotation{{Key: "k", ValueExpression: "value"}},
	}})
	mutating := MutatingText(&admissionregistrationv1.MutatingAdmissionPolicy{Spec: admissionregistrationv1.MutatingAdmissionPolicySpec{
		MatchConditions: conditions, Variables: variables,
		Mutations: []admissionregistrationv1.Mutation{
			{ApplyConfiguration: &admissionregistrationv1.ApplyConfiguration{Expression: "apply"}},
			{JSONPatch: &admissionregistrationv1.JSONPatch{Expression: "patch"}},
		},
	}})
	for _, c := range []struct {
		kind string
		text Text
		want []string
	}{
		{"validating", validating, []string{"condition", "variable", "validation", "message", "value"}},
		{"mutating", mutating, []string{"condition", "variable", "apply", "patch"}},
	} {
		if !slices.Equal(c.text.Expressions, c.want) || c.text.Params {
			t.Errorf("%s: %+v, not %v without parameters", c.kind, c.text, c.want)
		}
	}
}

func TestTextKnowsOfParameters(t *testing.T) {
	kind := &admissionregistrationv1.ParamKind{APIVersion: "v1", Kind: "ConfigMap"}
	validating := TextOf(&admissionregistrationv1.ValidatingAdmissionPolicy{Spec: admissionregistrationv1.ValidatingAdmissionPolicySpec{ParamKind: kind}})
	mutating := MutatingText(&admissionregistrationv1.MutatingAdmissionPolicy{Spec: admissionregistrationv1.MutatingAdmissionPolicySpec{ParamKind: kind}})
	if !validating.Params || !mutating.Params {
		t.Errorf("parameters: %t of the validating policy, %t of the mutating one", validating.Params, mutating.Params)
	}
}

func TestTextTellsWhetherItConcernsThePrefix(t *testing.T) {
	for name, c := range map[string]struct {
		text         Text
		may, byNames bool
	}{
		"nothing":        {Text{}, false, false},
		"the prefix":     {Text{Expressions: []string{"true", `k.startsWith("downscaler/")`}}, true, true},
		"another prefix": {Text{Expressions: []string{`k.startsWith("example.com/")`}}, false, false},
		"annotations":    {Text{Expressions: []string{`object.metadata.annotations == {}`}}, true, false},
		"another annotation": {Text{Expressions: []string{
			`object.metadata.?annotations["owner"].orValue("") != ""`, `has(object.metadata.annotations) && "owner" in object.metadata.annotations`,
			`object.metadata.?annotations.orValue({})["owner"] == "x" && has(object.metadata.annotations.owner)`,
		}}, false, false},
		"any annotation":                      {Text{Expressions: []string{`has(object.metadata.annotations)`}}, true, false},
		"another annotation and the rest":     {Text{Expressions: []string{`object.metadata.annotations["owner"] == "x" && object.metadata.annotations.size() == 1`}}, true, false},
		"another annotation's key by another": {Text{Expressions: []string{`object.metadata.annotations[object.metadata.annotations["owner"]] == "x"`}}, true, false},
		"annotations of a patch":              {Text{Expressions: []string{`[JSONPatch{op: "add", path: "/metadata/annotations/x", value: "y"}]`}}, true, false},
		"annotations of a configuration":      {Text{Expressions: []string{`Object{metadata: Object.metadata{annotations: {"x": "y"}}}`}}, true, false},
		"annotations that don't parse":        {Text{Expressions: []string{`object.metadata.annotations["owner"] ==`}}, true, false},
		"labels":                              {Text{Expressions: []string{`object.metadata.labels == {}`}}, false, false},
		"parameters":                          {Text{Params: true}, true, false},
		"labels by parameters":                {Text{Expressions: []string{"params.spec.label in object.metadata.labels"}, Params: true}, true, false},
	} {
		if may, byNames := c.text.MayConcernPrefix(), c.text.NamesPrefix(); may != c.may || byNames != c.byNames {
			t.Errorf("%s: may concern the prefix %t, names it %t", name, may, byNames)
		}
	}
}
