package inventory

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
)

// files is an inventory that was read from files. Nothing in it changes after it is built.
type files struct {
	loaded
	custom customKinds

	byKey    map[objectKey]*fileObject
	byKind   map[schema.GroupKind][]*fileObject
	occupied map[string]bool // namespaces that objects lie in

	// What a snapshot adds.
	held         map[schema.GroupResource]string // the lists it holds, each with why it is cut short, if so; nil without a snapshot
	redacted     map[objectKey][]string
	allDefaulted bool

	unreadVersions map[schema.GroupVersion]string // that discovery didn't tell of
}

func newFiles(custom customKinds) *files {
	return &files{
		loaded:   loaded{server: Server{Version: builtin().Server.Version, Source: SourceFiles, Assumed: true}},
		custom:   custom,
		byKey:    map[objectKey]*fileObject{},
		byKind:   map[schema.GroupKind][]*fileObject{},
		occupied: map[string]bool{},
	}
}

func (f *files) fromSnapshot() bool { return f.held != nil }

// kindOf finds a kind that is served with the same group and kind, in the object's version if possible.
func (f *files) kindOf(gvk schema.GroupVersionKind) (Kind, bool) {
	if kind, ok := f.kinds.ForKind(gvk); ok {
		return kind, true
	}
	for _, kind := range f.kinds.All() {
		if kind.Kind.GroupKind() == gvk.GroupKind() {
			return kind, true
		}
	}
	return Kind{}, false
}

// systemNamespaces exist on every API server, with labels that the files may not tell.
var systemNamespaces = []string{corev1.NamespaceDefault, metav1.NamespaceSystem, metav1.NamespacePublic, corev1.NamespaceNodeLease}

// Namespace returns an *UnreadNamespaceError for a namespace that isn't in the files, though objects lie in it
// or every API server has it.
func (f *files) Namespace(_ context.Context, name string) (*corev1.Namespace, error) {
	i, found := slices.BinarySearchFunc(f.namespaces, name, compareName)
	if found {
		return f.namespaces[i], nil
	}
	_, gap := f.unread(namespacesResource)
	if gap || !f.fromSnapshot() && (f.occupied[name] || slices.Contains(systemNamespaces, name)) {
		return nil, &UnreadNamespaceError{Name: name}
	}
	return nil, apierrors.NewNotFound(namespacesResource, name)
}

var namespacesResource = schema.GroupResource{Resource: "namespaces"}

// unread says why a snapshot doesn't have all objects of a kind, if so.
func (f *files) unread(resource schema.GroupResource) (error, bool) {
	if !f.fromSnapshot() {
		return nil, false
	}
	why, held := f.held[resource]
	if !held {
		why = notHeld(resource)
	}
	return &UnreadKindError{Resource: resource, Why: why}, why != ""
}

// Params returns copies; an *UnreadKindError says that the snapshot doesn't have them all.
func (f *files) Params(_ context.Context, gvk schema.GroupVersionKind) ([]runtime.Object, Kind, error) {
	kind, served := f.kinds.ForKind(gvk)
	if !served {
		return nil, Kind{}, f.kinds.noMatch(gvk)
	}
	if err, unread := f.unread(kind.Resource.GroupResource()); unread {
		return nil, kind, err
	}
	var params []runtime.Object
	for _, object := range f.byKind[gvk.GroupKind()] {
		value, err := f.convert(object, gvk)
		if err != nil {
			return nil, kind, object.describe(err)
		}
		params = append(params, value)
	}
	return params, kind, nil
}

// TypeConverter returns a *NoSchemaError for a custom resource that the files don't define.
func (f *files) TypeConverter(_ context.Context, kind schema.GroupVersionKind) (managedfields.TypeConverter, error) {
	if isBuiltIn(kind) {
		return builtInConverter(), nil
	}
	custom, defined := f.custom[kind.GroupKind()]
	if !defined {
		return nil, &NoSchemaError{Kind: kind}
	}
	return custom.converter()
}
