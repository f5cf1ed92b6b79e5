package inventory

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/restmapper"
)

// Kind is one resource in one version, as discovery describes it.
type Kind struct {
	Kind         schema.GroupVersionKind
	Resource     schema.GroupVersionResource
	Namespaced   bool
	Subresources []string // such as "status" and "scale", sorted
	ShortNames   []string
	Verbs        []string
}

// HasSubresource says whether the kind serves a subresource.
func (k Kind) HasSubresource(name string) bool { return slices.Contains(k.Subresources, name) }

// Kinds are the kinds that a server serves, from discovery documents.
type Kinds struct {
	groups     []*restmapper.APIGroupResources
	all        []Kind
	byResource map[schema.GroupVersionResource]Kind
	byKind     map[schema.GroupVersionKind]Kind
	mapper     meta.RESTMapper
	equivalent runtime.EquivalentResourceMapper
	unread     map[schema.GroupVersion]string
}

// NewKinds indexes discovery documents. Groups come in the server's order of preference, and a
// group's preferred version is the one that Resolve finds first.
func NewKinds(groups []*restmapper.APIGroupResources) *Kinds {
	k := &Kinds{
		groups:     groups,
		byResource: map[schema.GroupVersionResource]Kind{},
		byKind:     map[schema.GroupVersionKind]Kind{},
	}
	equivalent := runtime.NewEquivalentResourceRegistry()
	for _, group := range groups {
		for _, version := range group.Group.Versions {
			gv := schema.GroupVersion{Group: group.Group.Name, Version: version.Version}
			k.addVersion(gv, group.VersionedResources[version.Version], equivalent)
		}
	}
	k.equivalent = equivalent
	k.mapper = restmapper.NewDiscoveryRESTMapper(groups)
	return k
}

func (k *Kinds) addVersion(gv schema.GroupVersion, resources []metav1.APIResource, equivalent runtime.EquivalentResourceRegistry) {
	subresources := map[string][]string{}
	for _, r := range resources {
		resource, subresource, found := strings.Cut(r.Name, "/")
		// A subresource may have a kind of another group, such as autoscaling's Scale.
		kind := schema.GroupVersionKind{Group: cmp.Or(r.Group, gv.Group), Version: cmp.Or(r.Version, gv.Version), Kind: r.Kind}
		equivalent.RegisterKindFor(gv.WithResource(resource), subresource, kind)
		if found {
			subresources[resource] = append(subresources[resource], subresource)
		}
	}
	for _, r := range resources {
		if strings.Contains(r.Name, "/") {
			continue
		}
		slices.Sort(subresources[r.Name])
		kind := Kind{
			Kind:         gv.WithKind(r.Kind),
			Resource:     gv.WithResource(r.Name),
			Namespaced:   r.Namespaced,
			Subresources: subresources[r.Name],
			ShortNames:   r.ShortNames,
			Verbs:        r.Verbs,
		}
		k.all = append(k.all, kind)
		k.byResource[kind.Resource] = kind
		k.byKind[kind.Kind] = kind
	}
}

// Groups returns the discovery documents that the kinds were made from. They are not to be changed.
func (k *Kinds) Groups() []*restmapper.APIGroupResources { return k.groups }

// Unread says why it is not known what a group and version serves, if so: discovery failed for it.
func (k *Kinds) Unread(gv schema.GroupVersion) (why string, unread bool) {
	why, unread = k.unread[gv]
	return why, unread
}

// unreadHint names the versions in which a kind that was not found may yet be.
func (k *Kinds) unreadHint() string {
	if len(k.unread) == 0 {
		return ""
	}
	var versions []string
	for gv := range k.unread {
		versions = append(versions, gv.String())
	}
	slices.Sort(versions)
	return fmt.Sprintf(", unless it is in %s, which it could not tell of", strings.Join(versions, ", "))
}

// noMatch is the error for a kind that isn't there: not served, or not known to be.
func (k *Kinds) noMatch(gvk schema.GroupVersionKind) error {
	if why, unread := k.Unread(gvk.GroupVersion()); unread {
		return fmt.Errorf("the kinds of %s are not known: %s", gvk.GroupVersion(), why)
	}
	return &meta.NoKindMatchError{GroupKind: gvk.GroupKind(), SearchedVersions: []string{gvk.Version}}
}

// All returns every kind in every version served, in discovery's order.
func (k *Kinds) All() []Kind { return k.all }

// ForResource finds a kind by its resource.
func (k *Kinds) ForResource(resource schema.GroupVersionResource) (Kind, bool) {
	kind, ok := k.byResource[resource]
	return kind, ok
}

// ForKind finds a kind by its group, version and kind.
func (k *Kinds) ForKind(gvk schema.GroupVersionKind) (Kind, bool) {
	kind, ok := k.byKind[gvk]
	return kind, ok
}

// Mapper maps kinds to resources and back as the server would.
func (k *Kinds) Mapper() meta.RESTMapper { return k.mapper }

// Equivalent knows the other groups and versions that the same objects are served in.
func (k *Kinds) Equivalent() runtime.EquivalentResourceMapper { return k.equivalent }

// Resolve finds the kind that a person means by a TYPE argument as kubectl reads it: a plural, a
// singular, a kind or a short name, with or without ".group" or ".version.group".
func (k *Kinds) Resolve(arg string) (Kind, error) {
	name := strings.ToLower(arg)
	for _, kind := range k.all {
		if slices.Contains(kind.ShortNames, name) {
			return kind, nil
		}
	}
	full, partial := schema.ParseResourceArg(name)
	if full != nil {
		if gvr, err := k.mapper.ResourceFor(*full); err == nil {
			return k.byResource[gvr], nil
		}
	}
	gvr, err := k.mapper.ResourceFor(partial.WithVersion(""))
	if err != nil {
		return Kind{}, fmt.Errorf("the server doesn't have a resource type %q%s", arg, k.unreadHint())
	}
	return k.byResource[gvr], nil
}
