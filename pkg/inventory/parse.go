package inventory

import (
	"bytes"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// parsedItem is one object of the input as JSON, with its kind read.
type parsedItem struct {
	raw  rawItem
	kind schema.GroupVersionKind
	json []byte
}

// parse converts an item to JSON and reads which kind it is of.
func (i rawItem) parse() (parsedItem, error) {
	data, err := i.toJSON()
	if err != nil {
		return parsedItem{}, err
	}
	if !bytes.HasPrefix(data, []byte("{")) {
		return parsedItem{}, inputErrorf(i.Position, "an object with apiVersion and kind is expected, not %s", shorten(data))
	}
	item := parsedItem{raw: i, json: data}
	var meta metav1.TypeMeta
	if err := utiljson.Unmarshal(data, &meta); err != nil {
		return item, inputErrorf(i.Position, "apiVersion and kind have to be strings: %w", err)
	}
	if meta == (metav1.TypeMeta{}) && i.kind.Kind != "" {
		return item.withKind(i.kind)
	}
	err = item.readKind(meta)
	return item, err
}

func (p *parsedItem) readKind(meta metav1.TypeMeta) error {
	switch {
	case meta.Kind == "":
		return inputErrorf(p.raw.Position, "no kind; every document needs apiVersion and kind")
	case meta.APIVersion == "":
		return inputErrorf(p.raw.Position, "no apiVersion; every document needs apiVersion and kind")
	}
	gv, err := schema.ParseGroupVersion(meta.APIVersion)
	if err != nil {
		return &InputError{Position: p.raw.Position, Field: "apiVersion", Err: err}
	}
	p.kind = gv.WithKind(meta.Kind)
	if p.raw.Item > 0 && p.kind == listKind {
		return inputErrorf(p.raw.Position, "a List within a List; give its items a place of their own")
	}
	return nil
}

var listKind = schema.GroupVersionKind{Version: "v1", Kind: "List"}

// withKind sets the kind of an item of a typed list.
func (p parsedItem) withKind(kind schema.GroupVersionKind) (parsedItem, error) {
	object, err := p.unstructured()
	if err != nil {
		return p, err
	}
	object.SetGroupVersionKind(kind)
	p.kind = kind
	p.json, err = object.MarshalJSON()
	return p, err
}

// unstructured decodes the item as it is.
func (p parsedItem) unstructured() (*unstructured.Unstructured, error) {
	object := &unstructured.Unstructured{}
	if err := utiljson.Unmarshal(p.json, &object.Object); err != nil {
		return nil, p.fieldError(err, func(data []byte) error {
			var content map[string]any
			return utiljson.Unmarshal(data, &content)
		})
	}
	return object, p.checkMetadata(object)
}

// checkMetadata finds metadata that no object can have, whatever its kind.
func (p parsedItem) checkMetadata(object *unstructured.Unstructured) error {
	metadata, found := object.Object["metadata"]
	if !found {
		return nil
	}
	data, err := utiljson.Marshal(map[string]any{"metadata": metadata})
	if err != nil {
		return inputErrorf(p.raw.Position, "%w", err)
	}
	decode := func(data []byte) error { return utiljson.Unmarshal(data, &metav1.PartialObjectMetadata{}) }
	if err := decode(data); err != nil {
		return p.fieldError(err, decode)
	}
	return nil
}

// shorten quotes the beginning of a text for an error.
func shorten(data []byte) string {
	const most = 40
	text := []rune(string(data[:min(len(data), 4*most)]))
	if len(text) <= most {
		return fmt.Sprintf("%q", string(text))
	}
	return fmt.Sprintf("%q", string(text[:most])+"…")
}
