package inventory

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// FromFiles reads an inventory from manifests or a snapshot, as YAML or JSON.
//
// Built-in kinds are decoded typed; unknown fields are tolerated as the API server does, and a value of
// the wrong type is an error. Admission policies, their bindings and webhook configurations get the API server's defaults,
// namespaces the label with their name, and custom resources the defaults of their CustomResourceDefinition
// if it is in the files. Namespaced objects without a namespace lie in "default". The kinds are those of
// the newest API server known and the custom ones; a snapshot has the kinds of its cluster.
//
// What is wrong with a file is an *InputError; files without any object are ErrNoObjects. What the files
// leave open is in the inventory's Incomplete.
func FromFiles(ctx context.Context, sources ...FileSource) (Inventory, error) {
	return fromFiles(ctx, &filesBuilder{}, sources)
}

func fromFiles(ctx context.Context, b *filesBuilder, sources []FileSource) (Inventory, error) {
	for object, err := range inOrder(ctx, rawItems(ctx, sources), readObject) {
		if err == nil {
			err = b.read(object)
		}
		if err != nil {
			return nil, err
		}
	}
	if b.empty() {
		return nil, noObjects(sources)
	}
	return b.build()
}

// fileObject is one object of the files.
type fileObject struct {
	Position
	kind      schema.GroupVersionKind
	written   schema.GroupVersionKind // as the file has it, before what is stored in one version only is converted
	value     runtime.Object          // nil for the documents that a snapshot adds
	parsed    parsedItem              // kept only where value is nil, and for CustomResourceDefinitions
	redacted  []string
	defaulted bool
	leftOut   bool // what this program wrote into the folder
}

func (o *fileObject) meta() metav1.Object {
	m, err := meta.Accessor(o.value)
	if err != nil {
		return &metav1.ObjectMeta{}
	}
	return m
}

// readObject decodes one item of the input.
func readObject(raw rawItem) (*fileObject, error) {
	parsed, err := raw.parse()
	if err != nil {
		return nil, err
	}
	object := &fileObject{Position: raw.Position, kind: parsed.kind, written: parsed.kind}
	if parsed.kind.Group == snapshotGroup {
		object.parsed, object.leftOut = parsed, raw.found && isReport(parsed.kind)
		return object, nil
	}
	if parsed.kind.GroupKind() == crdKind {
		object.parsed = parsed
	}
	if object.value, err = parsed.value(); err != nil {
		return nil, err
	}
	object.kind = object.value.GetObjectKind().GroupVersionKind()
	object.defaulted = isStored(object.meta())
	return object, nil
}

// value decodes an item typed or unstructured, as its kind has it.
func (p parsedItem) value() (runtime.Object, error) {
	if isBuiltIn(p.kind) {
		return p.typed()
	}
	return p.unstructured()
}

// isStored says whether an object comes from an API server, which has then set all defaults.
func isStored(m metav1.Object) bool {
	created := m.GetCreationTimestamp()
	return m.GetUID() != "" && (m.GetResourceVersion() != "" || !created.IsZero())
}

// filesBuilder collects what the files hold before it is put in order.
type filesBuilder struct {
	server   string // the version that was asked for; empty: the snapshot's, or the newest known
	objects  []*fileObject
	snapshot *snapshotReader
}

func (b *filesBuilder) empty() bool { return len(b.objects) == 0 && b.snapshot == nil }

func (b *filesBuilder) read(object *fileObject) error {
	if object.leftOut {
		return nil
	}
	if object.value == nil {
		return b.readSnapshot(object)
	}
	if b.server != "" {
		if err := object.servedBy(b.server); err != nil {
			return err
		}
	}
	b.objects = append(b.objects, object)
	if b.snapshot != nil { // what an API server has stored needs no check
		b.snapshot.count(object)
		return nil
	}
	return object.lawfulOrError()
}

// build puts what was read in order.
func (b *filesBuilder) build() (Inventory, error) {
	custom, err := readCustomKinds(b.objects)
	if err != nil {
		return nil, err
	}
	f := newFiles(custom)
	if b.snapshot != nil {
		if err := b.snapshot.finish(f); err != nil {
			return nil, err
		}
	}
	if b.server != "" {
		f.server.Version = b.server
	}
	f.incomplete = append(f.incomplete, f.setKinds(b.baseDiscovery(), b.objects)...)
	for _, object := range b.objects {
		if err := f.place(object); err != nil {
			return nil, err
		}
	}
	f.sort()
	return f, nil
}

func (b *filesBuilder) baseDiscovery() servedGroups {
	if b.snapshot != nil {
		return b.snapshot.header.Discovery
	}
	return builtin().Discovery
}
