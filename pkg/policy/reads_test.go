package policy

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

func TestReadsOf(t *testing.T) {
	variables := []admissionregistrationv1.Variable{
		{Name: "labels", Expression: `object.metadata.?labels.orValue({})`}, {Name: "meta", Expression: "object.metadata"},
		{Name: "owner", Expression: `has(variables.labels.owner) ? variables.labels.owner : ""`}, {Name: "who", Expression: `request.userInfo.username`},
		{Name: "exempt", Expression: `variables.who in ["a", "b"]`}, {Name: "unused", Expression: `object.spec.unused == "x"`},
	}
	for expression, want := range map[string]struct {
		fields, texts string
		requester     bool
	}{
		`has(object.metadata.labels) && object.metadata.labels["team"] == "a"`:                       {fields: "object.metadata.labels.team", texts: "team a"},
		`object.metadata.?labels[?"team"].orValue("b") in ["c"]`:                                     {fields: "object.metadata.labels.team", texts: "team b c"},
		`has(object.metadata.annotations.skip)`:                                                      {fields: "object.metadata.annotations.skip", texts: "skip"},
		`"skip" in oldObject.metadata.annotations`:                                                   {fields: "object.metadata.annotations.skip", texts: "skip"},
		`variables.labels.?guard.orValue("on") != "off"`:                                             {fields: "object.metadata.labels.guard", texts: "guard on off"},
		`variables.meta.name == "x"`:                                                                 {fields: "object.metadata.name", texts: "x"},
		`!object.metadata.name.startsWith("tmp-")`:                                                   {fields: "object.metadata.name", texts: "tmp-"},
		`!request.name.startsWith("sys-")`:                                                           {fields: "request.name", texts: "sys-"},
		`has(request.options.fieldManager) && request.options.fieldManager == "helm"`:                {fields: "request.options.fieldManager", texts: "helm"},
		`request.userInfo.username != "a" && request.userInfo.groups.all(g, g != "b")`:               {},
		`!variables.exempt && !authorizer.group("x").resource("y").check("z").allowed()`:             {},
		`request.operation == "CREATE" || object.metadata.annotations.exists(k, k.startsWith("c/"))`: {fields: "object.metadata.annotations.*", texts: "c/"},
		`object.metadata.annotations["downscaler/exclude"] == "true"`:                                {texts: "downscaler/exclude true"},
		`object.metadata.?annotations["owner"].orValue("") != request.userInfo.username`:             {fields: "object.metadata.annotations.owner", texts: "owner", requester: true},
		`variables.owner in request.userInfo.groups`:                                                 {fields: "object.metadata.labels.owner", texts: "owner", requester: true},
		`object.spec.replicas > 3 && object.spec.paused`:                                             {fields: "object.spec.replicas object.spec.paused"},
		`object.spec.template.spec.containers.exists(c, c.image.startsWith("x/"))`:                   {fields: "object.spec.template.spec.containers.*.image", texts: "x/"},
		`"x/y" in object.metadata.finalizers`:                                                        {fields: "object.metadata.finalizers", texts: "x/y"},
		`"free" in namespaceObject.metadata.labels`:                                                  {fields: "namespaceObject.metadata.labels.free", texts: "free"},
		`object != null && object.kind == "Deployment" && object.metadata.uid == request.uid`:        {},
		`{"d": oldObject.metadata.name}`:                                                             {fields: "object.metadata.name", texts: "d"},
		`(`:                                                                                          {},
	} {
		p := &admissionregistrationv1.ValidatingAdmissionPolicy{}
		p.Spec.Variables = variables
		p.Spec.MatchConditions = []admissionregistrationv1.MatchCondition{{Name: "c", Expression: expression}}
		p.Spec.Validations = []admissionregistrationv1.Validation{{Expression: "true", MessageExpression: "object.metadata.labels.message"}}
		got := ReadsOf(p)
		var fields []string
		for _, f := range got.Fields {
			fields = append(fields, f.Of+"."+f.Path)
			if f.Expression != (Expression{Field: "spec.matchConditions[0].expression", Name: "c", Expression: expression}) {
				t.Errorf("%s: %s is said to stand in %+v", expression, f.Path, f.Expression)
			}
		}
		texts := slices.DeleteFunc(got.Texts, func(text string) bool { return text == "" })
		slices.Sort(texts)
		wanted := strings.Fields(want.texts)
		slices.Sort(wanted)
		if strings.Join(fields, " ") != want.fields || strings.Join(texts, " ") != strings.Join(wanted, " ") || got.Requester != want.requester {
			t.Errorf("%s: %v, %q, %t", expression, fields, texts, got.Requester)
		}
	}
}

func TestReadNumbers(t *testing.T) {
	p := &admissionregistrationv1.MutatingAdmissionPolicy{}
	p.Spec.Mutations = []admissionregistrationv1.Mutation{{JSONPatch: &admissionregistrationv1.JSONPatch{Expression: `object.spec.replicas > 3 ? [] : [JSONPatch{op: object.metadata.labels.op, path: "/x"}]`}}}
	got := MutatingReads(p)
	if diff := cmp.Diff([]int64{3}, got.Numbers); diff != "" {
		t.Error(diff)
	}
	if len(got.Fields) != 2 || got.Fields[1].Path != "metadata.labels.op" || got.Fields[1].Expression.Field != "spec.mutations[0].jsonPatch.expression" {
		t.Errorf("%+v", got.Fields)
	}
}
