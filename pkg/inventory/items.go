package inventory

import (
	"bytes"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

// rawItem is one object's text: a document, or one item of a List.
type rawItem struct {
	Position
	text   []byte
	isJSON bool
	strict bool                    // whether unknown fields are refused
	found  bool                    // in a folder, whose file was not named
	listed bool                    // whether text is YAML and begins with the list's "- "
	kind   schema.GroupVersionKind // what a typed list says its items are, for items that don't say it
}

// items cuts a document into its objects without parsing them: the items of a List where it is one,
// each JSON value where there are several, else the whole document.
func (d rawDocument) items() ([]rawItem, error) {
	text := bytes.TrimLeft(d.text, " \t\r\n")
	if len(text) > 0 && text[0] == '{' {
		return d.jsonItems()
	}
	return d.yamlItems()
}

// toJSON converts the item's text to one JSON object.
func (i rawItem) toJSON() ([]byte, error) {
	if i.isJSON {
		return i.text, nil
	}
	out, err := yaml.YAMLToJSON(i.text)
	if err != nil {
		return nil, i.yamlError(err)
	}
	if i.listed {
		out = bytes.TrimSuffix(bytes.TrimPrefix(bytes.TrimSpace(out), []byte("[")), []byte("]"))
	}
	return out, nil
}

// withListKind gives items the kind that their list's kind says they have, as the API's typed lists
// (DeploymentList) leave it out of the items.
func withListKind(items []rawItem, apiVersion, kind string) []rawItem {
	kind, typed := strings.CutSuffix(kind, "List")
	if !typed || kind == "" {
		return items
	}
	for i := range items {
		items[i].kind = schema.FromAPIVersionAndKind(apiVersion, kind)
	}
	return items
}

// errTemplate is what becomes of a Helm chart's template and the like.
var errTemplate = errors.New("this is not YAML but looks like a template for it: render it first, as \"helm template\" does")

var yamlLine = regexp.MustCompile(`^line (\d+): `)

// yamlError puts a YAML parser's error in its place in the file.
func (i rawItem) yamlError(err error) error {
	text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "error converting YAML to JSON: "), "yaml: ")
	position := i.Position
	if found := yamlLine.FindStringSubmatch(text); found != nil {
		if line, err := strconv.Atoi(found[1]); err == nil {
			position.Line += line - 1
		}
		text = strings.TrimPrefix(text, found[0])
	}
	if bytes.Contains(i.text, []byte("{{")) {
		return &InputError{Position: position, Err: errTemplate}
	}
	if strings.Contains(text, "unexpected end of stream") || strings.Contains(text, "did not find expected ',' or") {
		return &InputError{Position: position, Err: errCutShort}
	}
	return &InputError{Position: position, Err: errors.New("this is not valid YAML: " + text)}
}
