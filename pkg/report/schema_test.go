package report

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	"k8s.io/kube-openapi/pkg/validation/validate"
	"sigs.k8s.io/yaml"
)

// schemaOf reads a schema of testdata.
func schemaOf(t *testing.T, name string) *validate.SchemaValidator {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var s spec.Schema
	if text, err = yaml.YAMLToJSON(text); err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return validate.NewSchemaValidator(&s, nil, "", strfmt.Default)
}

// assertValid fails where a document, in JSON or YAML, is not what a schema asks for.
func assertValid(t *testing.T, by *validate.SchemaValidator, text []byte) {
	t.Helper()
	var document any
	decode := json.Unmarshal // its escapes of characters beyond 16 bits are none that YAML has
	if !bytes.HasPrefix(text, []byte("{")) {
		decode = func(text []byte, into any) error { return yaml.Unmarshal(text, into) }
	}
	if err := decode(text, &document); err != nil {
		t.Fatal(err)
	}
	for _, err := range by.Validate(document).Errors {
		t.Error(err)
	}
}

// The schemas find what is wrong.
func TestSchemasRefuse(t *testing.T) {
	for name, texts := range map[string][]string{
		"sarif-schema.yaml": {
			`{}`, `{version: 2.1.0, runs: []}`, `{version: 2.1.0, runs: [{tool: {driver: {name: a}}}]}`,
			`{version: 2.1.0, runs: [{tool: {driver: {name: a}}, results: null}]}`,
			`{version: 2.1.0, runs: [{tool: {driver: {name: a}}, results: [{message: {text: a}, level: high}]}]}`,
			`{version: 2.1.0, runs: [{tool: {driver: {name: a}}, results: [{message: {text: a}, severity: high}]}]}`,
			`{version: 2.1.0, runs: [{tool: {driver: {name: a}}, results: [{message: {text: a}, locations: [{physicalLocation: {artifactLocation: {uri: "a b"}}}]}]}]}`,
			`{version: 2.1.0, runs: [{tool: {driver: {name: a}}, results: [{message: {text: a}, locations: [{physicalLocation: {artifactLocation: {uri: "a"}, region: {startLine: 0}}}]}]}]}`,
		},
		"openreports-schema.yaml": {
			`{apiVersion: v1, kind: List, items: [{apiVersion: openreports.io/v1alpha1, kind: PolicyReport, metadata: {name: a}}]}`,
			`{apiVersion: v1, kind: List, items: [{apiVersion: openreports.io/v1alpha1, kind: Report, metadata: {name: a}, results: [{policy: a, result: failed}]}]}`,
			`{apiVersion: v1, kind: List, items: [{apiVersion: openreports.io/v1alpha1, kind: Report, metadata: {name: a}, results: [{policy: a, subjects: []}]}]}`,
			`{apiVersion: v1, kind: List, items: [{apiVersion: openreports.io/v1alpha1, kind: Report, metadata: {name: a}, results: [{result: fail}]}]}`,
		},
	} {
		by := schemaOf(t, name)
		for _, text := range texts {
			var document any
			if err := yaml.Unmarshal([]byte(text), &document); err != nil {
				t.Fatal(err)
			}
			if by.Validate(document).IsValid() {
				t.Errorf("%s takes %s", name, text)
			}
		}
	}
}
