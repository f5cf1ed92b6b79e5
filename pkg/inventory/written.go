package inventory

import (
	"fmt"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/client-go/kubernetes/scheme"
)

// Writer is an inventory that knows in which version its admission policies and bindings are written.
type Writer interface {
	// Written returns the version. It is not found where nothing is written: what a server has stored is served in every version that it has.
	Written(kind, name string) (schema.GroupVersion, bool)
}

// Written asks an inventory in which version a policy or binding is written, if it can tell.
func Written(inventory Inventory, kind, name string) (schema.GroupVersion, bool) {
	writer, can := inventory.(Writer)
	if !can {
		return schema.GroupVersion{}, false
	}
	return writer.Written(kind, name)
}

// Written implements Writer.
func (f *files) Written(kind, name string) (schema.GroupVersion, bool) {
	object, found := f.byKey[objectKey{kind: admissionregistrationv1.SchemeGroupVersion.WithKind(kind).GroupKind(), name: name}]
	if !found {
		return schema.GroupVersion{}, false
	}
	return object.written.GroupVersion(), true
}

// NotServed says why an API server does not serve a kind of admission policy or binding in a version; it is empty where it does. A server that
// can be asked has said what it serves. Any other is taken for one that nobody has configured: it serves no version before v1
// (https://kubernetes.io/docs/reference/using-api/#api-groups, "beta APIs are disabled by default"), nor any that was removed.
func NotServed(inventory Inventory, written schema.GroupVersionKind) string {
	server := inventory.Server()
	if !server.Assumed {
		return notServedThere(inventory, written)
	}
	if since, gone := removed(written, server.Version); gone {
		return fmt.Sprintf("it was removed in v%s", since)
	}
	if strings.Contains(written.Version, "alpha") || strings.Contains(written.Version, "beta") {
		return "it has to be switched on there, with --runtime-config"
	}
	return ""
}

func notServedThere(inventory Inventory, written schema.GroupVersionKind) string {
	if _, served := inventory.Kinds().ForKind(written); served {
		return ""
	}
	if _, unread := inventory.Kinds().Unread(written.GroupVersion()); unread {
		return "" // it is not known, and told among what is incomplete
	}
	return "it is not among what the server says that it serves"
}

// removed is the version of Kubernetes from which on a kind is no longer served in the version in which it is written.
func removed(kind schema.GroupVersionKind, server string) (since *version.Version, gone bool) {
	at, err := version.ParseGeneric(server)
	if err != nil {
		return nil, false
	}
	object, err := scheme.Scheme.New(kind)
	if err != nil {
		return nil, false
	}
	lifecycle, ok := object.(interface {
		APILifecycleRemoved() (major, minor int)
	})
	if !ok {
		return nil, false
	}
	major, minor := lifecycle.APILifecycleRemoved()
	since = version.MajorMinor(uint(major), uint(minor)) //nolint:gosec // they are constants of the API's types
	return since, at.AtLeast(since)
}
