package formats

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/report"
)

// sarifSchema is the schema of SARIF 2.1.0, errata 01, as OASIS publishes it. go-sarif has it in a constant, and checks only what its own
// types have kept of a document by it; here it is the document itself.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	const name = "pkg/report/v210/sarif/schema.go"
	file, err := parser.ParseFile(token.NewFileSet(), name, ofModule(t, "github.com/owenrumney/go-sarif/v3", name), 0)
	if err != nil {
		t.Fatal(err)
	}
	var text string
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, is := n.(*ast.BasicLit); is && literal.Kind == token.STRING {
			if text, err = strconv.Unquote(literal.Value); err != nil {
				t.Fatal(err)
			}
		}
		return true
	})
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	const url = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	if object, is := document.(map[string]any); !is || object["id"] != url {
		t.Fatalf("go-sarif has another schema: %v", object["id"])
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat() // URIs
	if err := compiler.AddResource(url, document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile(url)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func validSARIF(schema *jsonschema.Schema, text []byte) error {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(document)
}

func TestSARIF(t *testing.T) {
	schema := sarifSchema(t)
	texts := map[string][]byte{"golden": golden(t, "audit.sarif")}
	for name, r := range audits() {
		texts[name] = printed(t, report.Audit, "sarif", r)
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			if err := validSARIF(schema, text); err != nil {
				t.Fatal(err)
			}
			log, err := sarif.FromBytes(text, sarif.WithStrictValidation())
			if err != nil {
				t.Fatal(err)
			}
			asksOfCodeScanning(t, log, text)
		})
	}
}

// The schema finds what is wrong.
func TestSARIFSchemaRefuses(t *testing.T) {
	schema := sarifSchema(t)
	const driver = `"tool": {"driver": {"name": "a"}}`
	if err := validSARIF(schema, []byte(`{"version": "2.1.0", "runs": [{`+driver+`, "results": []}]}`)); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		`{}`, `{"version": "2.1.0"}`, `{"version": "2.0.0", "runs": []}`, `{"version": "2.1.0", "runs": [{"results": []}]}`,
		`{"version": "2.1.0", "runs": [{` + driver + `, "results": [{"level": "note"}]}]}`,
		`{"version": "2.1.0", "runs": [{` + driver + `, "results": [{"message": {"text": "a"}, "level": "high"}]}]}`,
		`{"version": "2.1.0", "runs": [{` + driver + `, "results": [{"message": {"text": "a"}, "severity": "high"}]}]}`,
		`{"version": "2.1.0", "runs": [{` + driver + `, "results": [{"message": {"text": "a"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "%zz"}}}]}]}]}`,
		`{"version": "2.1.0", "runs": [{` + driver + `, "results": [{"message": {"text": "a"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "a"}, "region": {"startLine": 0}}}]}]}]}`,
	} {
		if err := validSARIF(schema, []byte(text)); err == nil {
			t.Errorf("the schema takes %s", text)
		}
	}
}
