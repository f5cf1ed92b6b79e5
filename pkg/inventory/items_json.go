package inventory

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// jsonItems cuts a document that begins as JSON does. What turns out to be YAML in braces is left to
// the YAML parser.
func (d rawDocument) jsonItems() ([]rawItem, error) {
	items, err := cutJSON(d)
	if err != nil {
		if converted, yamlErr := (rawItem{Position: d.Position, text: d.text}).convertedItems(); yamlErr == nil {
			return converted, nil
		}
		if bytes.HasPrefix(bytes.TrimLeft(d.text, " \t\r\n"), []byte("{{")) {
			return nil, &InputError{Position: d.Position, Err: errTemplate}
		}
	}
	return items, err
}

// cutJSON finds the bounds of every object in a document of JSON values, without building them.
func cutJSON(d rawDocument) ([]rawItem, error) {
	cutter := jsonCutter{document: d, decoder: json.NewDecoder(bytes.NewReader(d.text)), line: d.Line}
	var all []rawItem
	for {
		items, err := cutter.value()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, cutter.explain(err)
		}
		all = append(all, items...)
	}
}

// jsonCutter walks the JSON values of one document.
type jsonCutter struct {
	document rawDocument
	decoder  *json.Decoder
	line     int // the line of the byte at counted
	counted  int
}

// value reads one top-level object and returns its items where it is a list, else itself.
func (c *jsonCutter) value() ([]rawItem, error) {
	if err := c.expect('{'); err != nil {
		return nil, err
	}
	whole := c.item(c.offset() - 1)
	start := c.offset() - 1
	var apiVersion, kind any
	var items []rawItem
	isList := false
	for c.decoder.More() {
		key, err := c.decoder.Token()
		if err == nil {
			switch key {
			case "items":
				items, isList, err = c.list()
			case "apiVersion":
				err = c.decoder.Decode(&apiVersion)
			case "kind":
				err = c.decoder.Decode(&kind)
			default:
				err = c.decoder.Decode(&skipped{})
			}
		}
		if err != nil {
			return nil, cutShort(err)
		}
	}
	if err := c.expect('}'); err != nil {
		return nil, cutShort(err)
	}
	if isList {
		return withListKind(items, fmt.Sprint(apiVersion), fmt.Sprint(kind)), nil
	}
	whole.text = c.document.text[start:c.offset()]
	return []rawItem{whole}, nil
}

// list reads the value of "items". It is a list if it is an array.
func (c *jsonCutter) list() ([]rawItem, bool, error) {
	start := c.next()
	if start >= len(c.document.text) || c.document.text[start] != '[' {
		return nil, false, c.decoder.Decode(&skipped{})
	}
	if err := c.expect('['); err != nil {
		return nil, false, err
	}
	var items []rawItem
	for c.decoder.More() {
		start := c.next()
		item := c.item(start)
		if err := c.decoder.Decode(&skipped{}); err != nil {
			return nil, false, err
		}
		item.Item = len(items) + 1
		item.text = c.document.text[start:c.offset()]
		items = append(items, item)
	}
	return items, true, c.expect(']')
}

// skipped is a JSON value that is passed over.
type skipped struct{}

// UnmarshalJSON keeps nothing.
func (*skipped) UnmarshalJSON([]byte) error { return nil }

func (c *jsonCutter) expect(delim json.Delim) error {
	token, err := c.decoder.Token()
	if err == nil && token != delim {
		err = fmt.Errorf("%v is expected, not %v", delim, token)
	}
	return err
}

func (c *jsonCutter) offset() int { return int(c.decoder.InputOffset()) }

// next is where the next value starts.
func (c *jsonCutter) next() int {
	rest := c.document.text[c.offset():]
	return len(c.document.text) - len(bytes.TrimLeft(rest, " \t\r\n,:"))
}

// item is the item that starts at an offset, without its text.
func (c *jsonCutter) item(start int) rawItem {
	c.line += bytes.Count(c.document.text[c.counted:start], []byte("\n"))
	c.counted = start
	position := c.document.Position
	position.Line = c.line
	return rawItem{Position: position, isJSON: true}
}

// explain adds the place to a JSON error.
func (c *jsonCutter) explain(err error) error {
	offset := c.offset()
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		offset = int(syntax.Offset)
	}
	position := c.document.Position
	position.Line += bytes.Count(c.document.text[:min(offset, len(c.document.text))], []byte("\n"))
	return inputErrorf(position, "this is not valid JSON: %w", err)
}

// errCutShort is what becomes of a file whose end is missing.
var errCutShort = errors.New("the file is cut short: it ends in the middle of an object")

func cutShort(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errCutShort
	}
	return err
}
