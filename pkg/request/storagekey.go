package request

import (
	"path"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// storagePrefixes are the resources whose keys in etcd are not their names
// (k8s.io/kubernetes pkg/kubeapiserver/default_storage_factory_builder.go, SpecialDefaultResourcePrefixes).
var storagePrefixes = map[schema.GroupResource]string{
	{Resource: "services"}:                              "services/specs",
	{Group: "networking.k8s.io", Resource: "ingresses"}: "ingress",
}

// storageKey is an object's key in etcd, which the API server names in a few messages.
func storageKey(resource schema.GroupResource, namespace, name string, namespaced, builtIn bool) string {
	prefix, special := storagePrefixes[resource]
	switch {
	case special:
	case builtIn:
		prefix = resource.Resource
	default:
		prefix = path.Join(resource.Group, resource.Resource)
	}
	if !namespaced {
		namespace = ""
	}
	return path.Join("/registry", prefix, namespace, name)
}
