package inventory

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// fieldPath leads to a field: a string is a key, an int an index.
type fieldPath []any

// String writes the path as "spec.containers[0].image"; a key that isn't a plain name is quoted in brackets.
func (p fieldPath) String() string {
	var b strings.Builder
	for _, step := range p {
		key, isKey := step.(string)
		switch {
		case !isKey:
			fmt.Fprintf(&b, "[%d]", step)
		case !plainKey.MatchString(key):
			fmt.Fprintf(&b, "[%q]", key)
		case b.Len() > 0:
			b.WriteString("." + key)
		default:
			b.WriteString(key)
		}
	}
	return b.String()
}

var plainKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// fieldError says in which field and line a decoder stumbled. Decoders name the field only for some
// errors, and never the index in a list, so the decoder is run again on ever smaller parts of the object.
func (p parsedItem) fieldError(err error, decode func([]byte) error) error {
	var content map[string]any
	if unmarshalErr := utiljson.Unmarshal(p.json, &content); unmarshalErr != nil {
		return inputErrorf(p.raw.Position, "%w", unmarshalErr)
	}
	path := failingField(content, decode)
	position := p.raw.Position
	if line := p.raw.lineOf(path); line > 0 {
		position.Line = line
	}
	return &InputError{Position: position, Field: path.String(), Err: errors.New(plainDecodeError(err))}
}

// failingField finds the deepest field whose value alone makes decode fail.
func failingField(content map[string]any, decode func([]byte) error) fieldPath {
	path := fieldPath{}
	fails := func(path fieldPath, value any) bool {
		data, err := utiljson.Marshal(alone(path, value))
		return err == nil && decode(data) != nil
	}
	var current any = content
	for {
		step, value, found := failingStep(path, current, fails)
		if !found {
			return path
		}
		path, current = append(path, step), value
	}
}

func failingStep(path fieldPath, current any, fails func(fieldPath, any) bool) (any, any, bool) {
	switch c := current.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(c)) {
			if fails(append(slices.Clone(path), key), c[key]) {
				return key, c[key], true
			}
		}
	case []any:
		for i, value := range c {
			if fails(append(slices.Clone(path), i), value) {
				return i, value, true
			}
		}
	}
	return nil, nil, false
}

// alone builds an object that has nothing but one value. An index becomes the first of its list.
func alone(path fieldPath, value any) any {
	for _, step := range slices.Backward(path) {
		if key, isKey := step.(string); isKey {
			value = map[string]any{key: value}
		} else {
			value = []any{value}
		}
	}
	return value
}

// plainDecodeError leaves out of a JSON error what the field path says better.
func plainDecodeError(err error) string {
	text := strings.TrimPrefix(err.Error(), "json: ")
	return goField.ReplaceAllString(text, " into ")
}

var goField = regexp.MustCompile(` into Go (struct field \S+ of type|value of type) `)

// lineOf finds the line of a field in the text of the item; 0 if it can't be told.
func (i rawItem) lineOf(path fieldPath) int {
	var document yaml.Node
	if err := yaml.NewDecoder(bytes.NewReader(i.text)).Decode(&document); err != nil || len(document.Content) == 0 {
		return 0
	}
	node := document.Content[0]
	if i.listed && len(node.Content) == 1 {
		node = node.Content[0]
	}
	line := node.Line
	for _, step := range path {
		next := childNode(node, step)
		if next == nil {
			break
		}
		node, line = next, next.Line
	}
	return i.Line + line - 1
}

func childNode(node *yaml.Node, step any) *yaml.Node {
	if index, isIndex := step.(int); isIndex {
		if node.Kind == yaml.SequenceNode && index < len(node.Content) {
			return node.Content[index]
		}
		return nil
	}
	if node.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == step {
			return node.Content[i+1]
		}
	}
	return nil
}
