package inventory

import (
	"strings"
	"testing"
)

const misspelt = `apiVersion: v1
kind: ConfigMap
metadata: {name: a}
---
apiVersion: v1
kind: List
items:
- apiVersion: admissionregistration.k8s.io/v1
  kind: ValidatingAdmissionPolicy
  metadata: {name: p}
  spec:
    matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE]}]}
    validations:
    - {expression: "true"}
    - expression: "true"
      mesage: {no: such field}
`

func TestStrict(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"nested": {misspelt, "p.yaml, document 2, item 1, line 16: spec.validations[1].mesage: there is no such field"},
		"top":    {"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nspec: {}\n", "p.yaml, document 1, line 4: spec: there is no such field"},
		"v1beta1": {"apiVersion: admissionregistration.k8s.io/v1beta1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: p}\nspec:\n  failurePolcy: Fail\n",
			"p.yaml, document 1, line 5: spec.failurePolcy: there is no such field"},
		"wrong type": {"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: 1}\n", "p.yaml, document 1, line 4: data.a: "},
		"custom":     {"apiVersion: example.com/v1\nkind: Anything\nmetadata: {name: a}\nspec: {any: thing}\n", ""},
	} {
		_, err := FromFiles(t.Context(), FileSource{Path: "p.yaml", Strict: true, Reader: strings.NewReader(test.text)})
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.HasPrefix(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
	if _, err := FromFiles(t.Context(), FileSource{Path: "p.yaml", Reader: strings.NewReader(misspelt)}); err != nil {
		t.Error("tolerant unless told otherwise:", err)
	}
}

func TestTemplatesAreRecognised(t *testing.T) {
	for _, text := range []string{
		"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\n",
		"{{- if .Values.on }}\napiVersion: v1\nkind: ConfigMap\n{{- end }}\n",
		"apiVersion: v1\nkind: List\nitems:\n{{- range .Values.all }}\n- {{ . }}\n{{- end }}\n",
	} {
		_, err := FromFiles(t.Context(), FileSource{Path: "t.yaml", Reader: strings.NewReader(text)})
		if err == nil || !strings.Contains(err.Error(), "looks like a template") || strings.Contains(err.Error(), "map[") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
