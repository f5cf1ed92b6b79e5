package inventory

import (
	"bytes"
	"regexp"
	"slices"
	"unicode"

	"sigs.k8s.io/yaml"
)

// yamlItems cuts a YAML document. A List as kubectl writes it ("items:" at the start of a line) is cut
// at its items without being parsed as a whole, so that a list of any size is read an object at a time.
func (d rawDocument) yamlItems() ([]rawItem, error) {
	if items, ok := cutYAMLList(d); ok {
		return items, nil
	}
	whole := rawItem{Position: d.Position, text: d.text}
	if !bytes.Contains(d.text, []byte("items")) {
		return []rawItem{whole}, nil
	}
	return whole.convertedItems()
}

// convertedItems converts the whole text to JSON, to see whether it is a list.
func (i rawItem) convertedItems() ([]rawItem, error) {
	out, err := i.toJSON()
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(out, []byte("{")) {
		return []rawItem{i}, nil
	}
	items, err := cutJSON(rawDocument{Position: i.Position, text: out})
	if err == nil && len(items) == 1 && items[0].Item == 0 {
		return []rawItem{i}, nil
	}
	return items, err
}

// cutYAMLList finds the bounds of a list's items. It is not ok where the document isn't a list in
// block style; an anchor makes it so too, as an alias may reach from one item into another.
func cutYAMLList(d rawDocument) ([]rawItem, bool) {
	before, block, after, ok := cutItemsBlock(d.text)
	if !ok || hasAnchor(d.text) {
		return nil, false
	}
	header := struct{ APIVersion, Kind string }{}
	if err := yaml.Unmarshal(slices.Concat(before, after), &header); err != nil {
		return nil, false
	}
	d.Line += bytes.Count(before, []byte("\n"))
	return withListKind(cutSequence(d.Position, block), header.APIVersion, header.Kind), true
}

var itemsKey = regexp.MustCompile(`(?m)^items:[ \t]*\r?$`)

// cutItemsBlock finds the lines of a top-level "items:" sequence, and what stands before and behind them.
// The block begins with the rest of the key's own line.
func cutItemsBlock(text []byte) (before, block, after []byte, ok bool) {
	key := itemsKey.FindIndex(text)
	if key == nil {
		return nil, nil, nil, false
	}
	block = text[key[1]:]
	indent, offset := -1, 0
	for line := range bytes.Lines(block) {
		depth, content := indentation(line)
		switch {
		case isBlank(content):
		case indent < 0 && !startsItem(content):
			return nil, nil, nil, false
		case indent < 0:
			indent = depth
		case depth < indent, depth == indent && !startsItem(content):
			return text[:key[0]], block[:offset], block[offset:], true
		}
		offset += len(line)
	}
	return text[:key[0]], block, nil, indent >= 0
}

// cutSequence cuts the block of a sequence at its items.
func cutSequence(position Position, block []byte) []rawItem {
	var items []rawItem
	indent, offset, start := -1, 0, 0
	end := func() {
		if len(items) > 0 {
			items[len(items)-1].text = block[start:offset]
		}
	}
	for line := range bytes.Lines(block) {
		depth, content := indentation(line)
		if startsItem(content) && (indent < 0 || depth == indent) {
			end()
			indent, start = depth, offset
			position.Item = len(items) + 1
			items = append(items, rawItem{Position: position, listed: true})
		}
		offset += len(line)
		position.Line++
	}
	end()
	return items
}

func indentation(line []byte) (int, []byte) {
	content := bytes.TrimLeft(line, " ")
	return len(line) - len(content), content
}

func isBlank(content []byte) bool {
	trimmed := bytes.TrimSpace(content)
	return len(trimmed) == 0 || trimmed[0] == '#'
}

func startsItem(content []byte) bool {
	return len(content) > 1 && content[0] == '-' && bytes.IndexByte([]byte(" \t\r\n"), content[1]) >= 0
}

// hasAnchor says whether the text may hold a YAML anchor such as " &name".
func hasAnchor(text []byte) bool {
	for {
		at := bytes.IndexByte(text, '&')
		if at < 0 || at+1 == len(text) {
			return false
		}
		next := rune(text[at+1])
		if at > 0 && text[at-1] == ' ' && (unicode.IsLetter(next) || unicode.IsDigit(next)) {
			return true
		}
		text = text[at+1:]
	}
}
