package chart

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// fieldOrder puts the fields in the order in which people read them; those that are not here come behind, by name.
var fieldOrder = []string{
	"apiVersion", "kind", "metadata", "spec", "name", "policyName", "failurePolicy", "reinvocationPolicy", "matchConstraints", "matchConditions", "variables",
	"mutations", "validations", "validationActions", "matchResources", "patchType", "expression", "messageExpression",
}

// ordered turns a map into a node whose keys are in that order.
func ordered(value any) *yaml.Node {
	node := &yaml.Node{}
	switch v := value.(type) {
	case map[string]any:
		node.Kind = yaml.MappingNode
		for _, key := range sortedKeys(v) {
			name := &yaml.Node{}
			name.SetString(key)
			node.Content = append(node.Content, name, ordered(v[key]))
		}
	case []any:
		node.Kind = yaml.SequenceNode
		for _, item := range v {
			node.Content = append(node.Content, ordered(item))
		}
		if isShort(v) {
			node.Style = yaml.FlowStyle
		}
	case string:
		node.SetString(v)
	default:
		_ = node.Encode(v) // a number, a boolean or nothing: it can't fail
	}
	return node
}

func sortedKeys(fields map[string]any) []string {
	rank := func(key string) int {
		if i := slices.Index(fieldOrder, key); i >= 0 {
			return i
		}
		return len(fieldOrder)
	}
	return slices.SortedFunc(maps.Keys(fields), func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b)) })
}

// isShort says whether a list reads well on one line.
func isShort(items []any) bool {
	for _, item := range items {
		if text, ok := item.(string); !ok || len(text) > 40 {
			return false
		}
	}
	return true
}

// comment puts comments before the fields that they are for.
func comment(node *yaml.Node, path string, comments map[string]string) {
	if node.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := strings.TrimPrefix(path+"."+node.Content[i].Value, ".")
		node.Content[i].HeadComment = asComment(comments[key])
		comment(node.Content[i+1], key, comments)
	}
}

// asComment breaks a text into the lines of a comment.
func asComment(text string) string {
	const width = 100
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, "# "+line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	if line != "" {
		lines = append(lines, "# "+line)
	}
	return strings.Join(lines, "\n")
}
