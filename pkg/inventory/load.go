package inventory

import (
	"context"
	"errors"
	"iter"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// Document is one object of the input files and the place where it was found. A List counts as the
// objects in it.
type Document struct {
	Position
	Object *unstructured.Unstructured

	parsed parsedItem
}

// Typed decodes the document's object as the API server would: typed if its kind is built in, else as it is. Unknown
// fields are tolerated. The error is an *InputError that names the field and its line.
func (d Document) Typed() (runtime.Object, error) {
	if !isBuiltIn(d.parsed.kind) {
		return d.Object, nil
	}
	return d.parsed.typed()
}

// Documents yields the objects in the sources, in order, an object at a time. The first error ends it; it
// names the file and, from there on, the place. The context's end ends it too.
func Documents(ctx context.Context, sources ...FileSource) iter.Seq2[Document, error] {
	return inOrder(ctx, rawItems(ctx, sources), func(raw rawItem) (Document, error) {
		parsed, err := raw.parse()
		if err != nil {
			return Document{}, err
		}
		object, err := parsed.unstructured()
		return Document{Position: raw.Position, Object: object, parsed: parsed}, err
	})
}

// ErrNoObjects is the error for input that holds no object at all.
var ErrNoObjects = errors.New("no objects found: every file is empty or holds only comments")

// Load returns the objects in the sources, in order. Input without any object is ErrNoObjects.
func Load(ctx context.Context, sources ...FileSource) ([]Document, error) {
	var documents []Document
	for document, err := range Documents(ctx, sources...) {
		if err != nil {
			return nil, err
		}
		documents = append(documents, document)
	}
	if len(documents) == 0 {
		return nil, noObjects(sources)
	}
	return documents, nil
}

func noObjects(sources []FileSource) error {
	if len(sources) == 1 {
		return inputErrorf(Position{File: sources[0].Path}, "%w", ErrNoObjects)
	}
	return ErrNoObjects
}

// rawItems yields the text of every object in the sources.
func rawItems(ctx context.Context, sources []FileSource) iter.Seq2[rawItem, error] {
	return func(yield func(rawItem, error) bool) {
		for file, err := range openSources(ctx, sources) {
			if err != nil {
				yield(rawItem{}, err)
				return
			}
			for document, err := range splitDocuments(ctx, file.name, file.reader) {
				if !yieldItems(document, err, file, yield) {
					return
				}
			}
		}
		if ctx.Err() != nil {
			yield(rawItem{}, ctx.Err())
		}
	}
}

// yieldItems yields a document's objects and says whether to go on.
func yieldItems(document rawDocument, err error, file openFile, yield func(rawItem, error) bool) bool {
	var items []rawItem
	if err == nil {
		items, err = document.items()
	}
	if err != nil {
		yield(rawItem{}, err)
		return false
	}
	for _, item := range items {
		item.strict, item.found = file.strict, file.found
		if !yield(item, nil) {
			return false
		}
	}
	return true
}
