// Package inventory holds the state that admission is decided on: namespaces, workloads, admission
// policies with their bindings and parameters, and the kinds an API server serves. It is read either
// from a live API server (Live) or from manifests (FromFiles), and never written.
package inventory

import (
	"context"
	"iter"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Source says where an inventory was read from.
type Source string

// The two sources, spelled as reports spell them.
const (
	SourceCluster Source = "cluster"
	SourceFiles   Source = "files"
)

// Server identifies the API server that an inventory describes. Version is its gitVersion such as
// "v1.37.1"; for files it is the version they are decided by.
type Server struct {
	Version string `json:"version"`
	Source  Source `json:"source"`

	// Assumed says that no server was asked: manifests are decided as by a fresh server of this version.
	Assumed bool `json:"-"`
}

// Inventory is a read-only view of one cluster's state. Implementations are safe for concurrent use.
type Inventory interface {
	// Server identifies the API server.
	Server() Server

	// Kinds are the kinds that the server serves.
	Kinds() *Kinds

	// Policies are the admission policies that are in force.
	Policies() *Policies

	// Namespaces returns every namespace that could be read, sorted by name.
	Namespaces() []*corev1.Namespace

	// Namespace returns one namespace. The error satisfies apierrors.IsNotFound where it is known not to
	// exist; any other error means that it is not known whether it does.
	Namespace(ctx context.Context, name string) (*corev1.Namespace, error)

	// Params returns every object of a policy's parameter kind, typed if it is a built-in kind, and
	// the kind's scope. The error satisfies meta.IsNoMatchError where the kind is not served.
	Params(ctx context.Context, kind schema.GroupVersionKind) ([]runtime.Object, Kind, error)

	// Objects yields the objects that a query selects, a page at a time: nothing is kept. A kind that
	// can't be listed yields one error, a *ListError, and the iteration goes on with the next kind.
	Objects(ctx context.Context, query Query) iter.Seq2[Object, error]

	// Get returns one object. The error is the API server's, or one in the API server's words.
	Get(ctx context.Context, kind Kind, namespace, name string) (Object, error)

	// TypeConverter returns the schema-aware converter that server-side apply and
	// ApplyConfiguration mutations need for a kind.
	TypeConverter(ctx context.Context, kind schema.GroupVersionKind) (managedfields.TypeConverter, error)

	// Schema returns a kind's OpenAPI schema, with what it refers to in it, as the API server's type checking of policies takes it. The error
	// is a *NoSchemaError where the kind has none.
	Schema(ctx context.Context, kind schema.GroupVersionKind) (*spec.Schema, error)

	// Incomplete lists what was asked for and could not be read when the inventory was loaded.
	Incomplete() []Gap
}

// Query selects objects.
type Query struct {
	Kinds     []Kind
	Namespace string          // empty: every namespace
	Selector  labels.Selector // nil: everything
}

// Object is one object of an inventory, of the version in which its kind was asked for.
type Object struct {
	Kind Kind

	// Value is a typed object for the kinds that client-go's scheme knows and *unstructured.Unstructured
	// for all others, as admission sees them. Its apiVersion and kind are set.
	Value runtime.Object

	// Redacted lists the paths of the fields whose values a snapshot took out, sorted.
	//
	// Every field path of this module is written in one grammar, see FieldPath: keys are joined by dots, an index is in
	// brackets, and so is, quoted as Go quotes strings, a key that has anything but letters, digits, "-" and "_", or begins with
	// none of letters and "_". For example spec.template.spec.containers[0].env[1].value, or
	// metadata.annotations["downscaler/exclude"].
	Redacted []string

	// Defaulted is false for an object from a manifest that no API server has stored yet: fields that
	// the API server would fill in are missing from it.
	Defaulted bool
}

// Meta returns the object's metadata.
func (o Object) Meta() metav1.Object {
	m, ok := o.Value.(metav1.Object)
	if !ok {
		return &metav1.ObjectMeta{}
	}
	return m
}

// ListError says that a kind could not be listed, wholly or from some page on.
type ListError struct {
	Kind Kind
	Err  error
}

func (e *ListError) Error() string {
	return "listing " + e.Kind.Resource.GroupResource().String() + ": " + e.Err.Error()
}

// Unwrap returns the API server's error.
func (e *ListError) Unwrap() error { return e.Err }
