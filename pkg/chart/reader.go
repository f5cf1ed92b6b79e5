package chart

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// reader keeps what is wrong with a file, so that reading it need not stop at each field.
type reader struct {
	file string
	errs []error
}

func (r *reader) errorf(line int, field, format string, args ...any) error {
	return &inventory.InputError{Position: inventory.Position{File: r.file, Line: line}, Field: field, Err: fmt.Errorf(format, args...)}
}

func (r *reader) fail(line int, field, format string, args ...any) {
	r.errs = append(r.errs, r.errorf(line, field, format, args...))
}

// syntax puts the parser's error in the form of the others.
func (r *reader) syntax(err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 0
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		number, message, _ := strings.Cut(rest, ": ")
		if n, err := strconv.Atoi(number); err == nil {
			line, text = n, message
		}
	}
	return r.errorf(line, "", "this is not YAML: %s", text)
}

// section is a part of a file; one whose node is nil is absent and has the defaults.
type section struct {
	*reader
	node *yaml.Node
	path string
}

func (s section) line() int {
	if s.node == nil {
		return 0
	}
	return s.node.Line
}

// child is the value of a key. A null takes the chart's default away, and is then nothing, false or an empty list.
func (s section) child(key string) section {
	child := section{reader: s.reader, path: strings.TrimPrefix(s.path+"."+key, ".")}
	pairs := s.pairs()
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i].Value == key {
			child.node = resolve(pairs[i+1])
		}
	}
	return child
}

func (s section) empty() bool { return s.node == nil || s.node.Tag == "!!null" }

// pairs are a mapping's keys and values.
func (s section) pairs() []*yaml.Node {
	if s.empty() {
		return nil
	}
	if s.node.Kind != yaml.MappingNode {
		s.fail(s.node.Line, s.path, "this must be a map, with keys and values")
		return nil
	}
	return merged(s.node)
}

// merged are a mapping's own pairs, and behind them those of mappings that it merges (<<), but for keys that it has already.
func merged(node *yaml.Node) []*yaml.Node {
	var pairs, more []*yaml.Node
	has := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], resolve(node.Content[i+1])
		switch {
		case key.Tag != "!!merge":
			has[key.Value] = true
			pairs = append(pairs, key, value)
		case value.Kind == yaml.SequenceNode:
			more = append(more, value.Content...)
		default:
			more = append(more, value)
		}
	}
	for _, other := range more {
		other = resolve(other)
		if other.Kind != yaml.MappingNode {
			continue // which the parser refuses
		}
		inherited := merged(other)
		for i := 0; i+1 < len(inherited); i += 2 {
			if key := inherited[i]; !has[key.Value] {
				has[key.Value] = true
				pairs = append(pairs, key, inherited[i+1])
			}
		}
	}
	return pairs
}

func (s section) keys() []string {
	var keys []string
	for i, node := range s.pairs() {
		if i%2 == 0 {
			keys = append(keys, node.Value)
		}
	}
	return keys
}

// only refuses keys that the chart doesn't know.
func (s section) only(known ...string) {
	pairs := s.pairs()
	for i := 0; i < len(pairs); i += 2 {
		if key := pairs[i]; !slices.Contains(known, key.Value) {
			s.fail(key.Line, s.path, "the chart knows no %q here and would pass over it; it knows %s", key.Value, strings.Join(known, ", "))
		}
	}
}

func (s section) boolean(fallback bool) bool {
	if s.node == nil {
		return fallback
	}
	if s.empty() {
		return false
	}
	value, is := s.truth()
	if !is {
		s.fail(s.node.Line, s.path, "this must be true or false, not %q: the chart takes every text for true, even \"false\"", s.node.Value)
	}
	return value
}

func (s section) text() string {
	if s.empty() {
		return ""
	}
	if s.node.Kind != yaml.ScalarNode {
		s.fail(s.node.Line, s.path, "this must be a text")
		return ""
	}
	return s.rendered()
}

// items are a list's.
func (s section) items() []section {
	if s.empty() {
		return nil
	}
	if s.node.Kind != yaml.SequenceNode {
		s.fail(s.node.Line, s.path, "this must be a list")
		return nil
	}
	var items []section
	for i, node := range s.node.Content {
		item := section{reader: s.reader, node: resolve(node), path: fmt.Sprintf("%s[%d]", s.path, i)}
		if item.node.Kind != yaml.ScalarNode {
			s.fail(item.node.Line, item.path, "this must be a text")
			continue
		}
		items = append(items, item)
	}
	return items
}

// textsOr returns a list of texts, or what the chart has where there is none.
func (s section) textsOr(fallback ...string) []string {
	if s.node == nil {
		return fallback
	}
	var texts []string
	for _, item := range s.items() {
		texts = append(texts, item.rendered())
	}
	return texts
}

// rendered is a scalar as Helm's templates print it: numbers have become floating-point ones by then.
func (s section) rendered() string {
	switch s.node.Tag {
	case "!!int", "!!float":
		var number float64
		if s.node.Decode(&number) == nil {
			return fmt.Sprint(number)
		}
	case "!!null":
		return ""
	}
	if value, is := s.truth(); is {
		return fmt.Sprint(value)
	}
	return s.node.Value
}

// truth is a scalar that Helm reads as a boolean: with the YAML library of Kubernetes, for which no and off are some, too.
func (s section) truth() (value, is bool) {
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	if s.node.Kind != yaml.ScalarNode || s.node.Style&(quoted|yaml.TaggedStyle) != 0 {
		return false, false
	}
	var scalar any
	if err := sigsyaml.Unmarshal([]byte(s.node.Value), &scalar); err != nil {
		return false, false
	}
	value, is = scalar.(bool)
	return value, is
}

func resolve(node *yaml.Node) *yaml.Node {
	for node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	return node
}
