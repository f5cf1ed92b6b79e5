package baseline

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// reader reads one file.
type reader struct{ name string }

func (r reader) errorf(line int, field, format string, args ...any) error {
	return &inventory.InputError{Position: inventory.Position{File: r.name, Line: line}, Field: field, Err: fmt.Errorf(format, args...)}
}

var syntaxLine = regexp.MustCompile(`^line (\d+): `)

// parse returns the file's only document.
func (r reader) parse(text []byte) (*yaml.Node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var node yaml.Node
	err := decoder.Decode(&node)
	if errors.Is(err, io.EOF) {
		return nil, r.errorf(0, "", "the file is empty; give one that --write-baseline wrote")
	}
	if err != nil {
		message, line := strings.TrimPrefix(err.Error(), "yaml: "), 0
		if found := syntaxLine.FindStringSubmatch(message); found != nil {
			line, _ = strconv.Atoi(found[1]) // digits, by the expression
			message = strings.TrimPrefix(message, found[0])
		}
		return nil, r.errorf(line, "", "this is not YAML: %s", message)
	}
	var next yaml.Node
	if err := decoder.Decode(&next); !errors.Is(err, io.EOF) {
		return nil, r.errorf(next.Line, "", "there is a second document; a baseline is one")
	}
	return node.Content[0], nil
}

// mapping returns the values of a mapping that has no other keys than these, and none twice.
func (r reader) mapping(node *yaml.Node, field string, keys ...string) (map[string]*yaml.Node, error) {
	if node.Kind != yaml.MappingNode {
		return nil, r.errorf(node.Line, field, "this must have the keys %s", strings.Join(keys, ", "))
	}
	values := map[string]*yaml.Node{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i]
		if !slices.Contains(keys, key.Value) {
			return nil, r.errorf(key.Line, field, "there is no key %q here, only %s", key.Value, strings.Join(keys, ", "))
		}
		if values[key.Value] != nil {
			return nil, r.errorf(key.Line, field, "the key %q is there twice", key.Value)
		}
		values[key.Value] = node.Content[i+1]
	}
	return values, nil
}

// text is a value that may be absent, in which case it is empty.
func (r reader) text(node, parent *yaml.Node, field string) (string, error) {
	var text string
	if node == nil {
		return "", nil
	}
	if node.Kind != yaml.ScalarNode || node.Decode(&text) != nil {
		return "", r.errorf(lineOf(node, parent), field, "this must be a text")
	}
	return text, nil
}

// fill reads a mapping's texts.
func (r reader) fill(node *yaml.Node, field string, into map[string]*string, others ...string) error {
	keys := slices.Sorted(maps.Keys(into))
	values, err := r.mapping(node, field, append(others, keys...)...)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if *into[key], err = r.text(values[key], node, field+"."+key); err != nil {
			return err
		}
	}
	return nil
}

func lineOf(node, parent *yaml.Node) int {
	if node == nil {
		return parent.Line
	}
	return node.Line
}
