package report

import (
	"bytes"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// printYAML is the report's JSON as YAML, laid out as kubectl does but for long lines, which stay whole.
// (kubectl's YAML library fails on some control characters and turns others into blanks.)
func printYAML[R any](report R, _ Options) ([]byte, error) {
	object, err := generic(report)
	if err != nil {
		return nil, err
	}
	data, err := encodeYAML(object.UnstructuredContent())
	if err != nil || !bytes.ContainsFunc(data, hidden) && !bytes.Contains(data, []byte(mergeKey)) {
		return data, err
	}
	return escapeYAML(object.UnstructuredContent())
}

func encodeYAML(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("printing YAML: %w", err)
	}
	if err := encoder.Close(); err != nil {
		return nil, fmt.Errorf("printing YAML: %w", err)
	}
	return b.Bytes(), nil
}

// escapeYAML writes what is not visible as escapes. Only double-quoted YAML has escapes, so the strings
// with such characters in them become that first; the data stays the same.
func escapeYAML(value any) ([]byte, error) {
	var document yaml.Node
	if err := document.Encode(value); err != nil {
		return nil, fmt.Errorf("printing YAML: %w", err)
	}
	quoteHidden(&document)
	data, err := encodeYAML(&document)
	if err != nil {
		return nil, err
	}
	return replaceHidden(data), nil
}

// mergeKey is no string like any other unless it is quoted: as a key it merges maps (https://yaml.org/type/merge.html). The encoder does
// not quote it, and reads it back as such.
const mergeKey = "<<"

func quoteHidden(node *yaml.Node) {
	if node.Value == mergeKey {
		node.Tag, node.Style = "!!str", yaml.DoubleQuotedStyle
	}
	if strings.ContainsFunc(node.Value, hidden) {
		node.Style = yaml.DoubleQuotedStyle
	}
	for _, child := range node.Content {
		quoteHidden(child)
	}
}

func replaceHidden(data []byte) []byte {
	var b bytes.Buffer
	for _, r := range string(data) {
		if hidden(r) {
			b.WriteString(yamlEscape(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.Bytes()
}

func yamlEscape(r rune) string {
	if r > 0xffff {
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
