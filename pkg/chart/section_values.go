package chart

import (
	"fmt"

	"go.yaml.in/yaml/v3"
	sigsyaml "sigs.k8s.io/yaml"
)

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
