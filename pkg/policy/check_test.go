package policy

import (
	"strings"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

func checked(expression string) *admissionregistrationv1.ValidatingAdmissionPolicy {
	return &admissionregistrationv1.ValidatingAdmissionPolicy{Spec: admissionregistrationv1.ValidatingAdmissionPolicySpec{
		Variables:        []admissionregistrationv1.Variable{{Name: "name", Expression: "object.metadata.name"}},
		MatchConditions:  []admissionregistrationv1.MatchCondition{{Name: "m", Expression: "object.metadata.name != ''"}},
		Validations:      []admissionregistrationv1.Validation{{Expression: expression, MessageExpression: "'no ' + string(variables.name)"}},
		AuditAnnotations: []admissionregistrationv1.AuditAnnotation{{Key: "k", ValueExpression: "'v'"}},
	}}
}

func TestCompileErrors(t *testing.T) {
	withVariable := checked("true")
	withVariable.Spec.Variables[0].Expression = "1 +"
	withMessage := checked("true")
	withMessage.Spec.Validations[0].MessageExpression = "authorizer.group('').resource('pods').check('get').reason()"
	withVariableInCondition := checked("true")
	withVariableInCondition.Spec.MatchConditions[0].Expression = "variables.name != ''"
	withParams := checked("params.data.x == ''")
	withParams.Spec.ParamKind = &admissionregistrationv1.ParamKind{APIVersion: "v1", Kind: "ConfigMap"}
	for name, test := range map[string]struct {
		policy        *admissionregistrationv1.ValidatingAdmissionPolicy
		use           Use
		server, field string
	}{
		"compiles":                         {checked("authorizer.group('').resource('pods').check('get').allowed()"), Stored, "v1.37.1", ""},
		"with parameters":                  {withParams, Stored, "v1.37.1", ""},
		"parameters, no kind":              {checked("params.data.x == ''"), Stored, "v1.37.1", "spec.validations[0].expression"},
		"not a boolean":                    {checked("1"), Stored, "v1.37.1", "spec.validations[0].expression"},
		"a variable":                       {withVariable, Stored, "v1.37.1", "spec.variables[0].expression"},
		"a variable in a new condition":    {withVariableInCondition, New, "v1.37.1", "spec.matchConditions[0].expression"},
		"a variable in a stored condition": {withVariableInCondition, Stored, "v1.37.1", ""},
		"authorizer in message":            {withMessage, Stored, "v1.37.1", "spec.validations[0].messageExpression"},
		"too new for the server":           {checked("ip.isCanonical('127.0.0.1')"), Stored, "v1.28.4", "spec.validations[0].expression"},
		"new enough":                       {checked("ip.isCanonical('127.0.0.1')"), Stored, "v1.31.0-gke.100", ""},
		"not yet taken":                    {checked("ip.isCanonical('127.0.0.1')"), New, "v1.30.2", "spec.validations[0].expression"},
		"not taken, and stored":            {checked("ip.isCanonical('127.0.0.1')"), Stored, "v1.30.2", ""},
		"taken":                            {checked("ip.isCanonical('127.0.0.1')"), New, "v1.31.0", ""},
		"no version":                       {checked("true"), Stored, "unknown", ""},
	} {
		t.Run(name, func(t *testing.T) {
			errs, err := CompileErrors(test.policy, test.use, test.server)
			if err != nil {
				t.Fatal(err)
			}
			var fields []string
			for _, e := range errs {
				if fields = append(fields, e.Field); e.Message == "" {
					t.Error("no message")
				}
			}
			if got := strings.Join(fields, " "); got != test.field {
				t.Errorf("got %q, want %q: %v", got, test.field, errs)
			}
		})
	}
}

func TestMutatingCompileErrors(t *testing.T) {
	p := &admissionregistrationv1.MutatingAdmissionPolicy{Spec: admissionregistrationv1.MutatingAdmissionPolicySpec{
		Mutations: []admissionregistrationv1.Mutation{
			{JSONPatch: &admissionregistrationv1.JSONPatch{Expression: `[JSONPatch{op: "remove", path: "/metadata/annotations/" + jsonpatch.escapeKey("a/b")}]`}},
			{ApplyConfiguration: &admissionregistrationv1.ApplyConfiguration{Expression: `Object{metadata: Object.metadata{annotations: {"a": "b"}}}`}},
			{JSONPatch: &admissionregistrationv1.JSONPatch{Expression: `JSONPatch{}`}},
		},
	}}
	errs, err := MutatingCompileErrors(p, Stored, "v1.37.1")
	if err != nil || len(errs) != 1 || errs[0].Field != "spec.mutations[2].jsonPatch.expression" {
		t.Errorf("%v, %v", errs, err)
	}
}
