package chart

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

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

func resolve(node *yaml.Node) *yaml.Node {
	for node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	return node
}
