package inventory

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/restmapper"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
)

// customVerbs are what every custom resource can do.
var customVerbs = metav1.Verbs{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}

// kindSet is discovery in the making.
type kindSet struct {
	groups []*restmapper.APIGroupResources
}

// setKinds works out the kinds of the inventory: those of a discovery, those of CustomResourceDefinitions, those that the
// downscaler scales, and one guessed for each kind of object that is none of these. The guesses are returned as gaps.
func (f *files) setKinds(base servedGroups, objects []*fileObject) []Gap {
	set := kindSet{groups: base.groups()}
	for _, kind := range f.custom.sorted() {
		kind.addTo(&set)
	}
	if !f.fromSnapshot() {
		for _, kind := range downscaler.Kinds() {
			set.addGuess(kind.Resource, kind.Kind, kind.Namespaced)
		}
	}
	gaps := set.guess(objects)
	f.kinds = NewKinds(set.groups)
	f.kinds.unread = f.unreadVersions
	return gaps
}

// guess adds a kind for each custom object whose kind is not known, and says so.
func (s *kindSet) guess(objects []*fileObject) []Gap {
	guessed := map[schema.GroupVersionKind]bool{}
	for _, object := range objects {
		if !isBuiltIn(object.kind) && !s.hasKind(object.kind.GroupKind()) {
			guessed[object.kind] = guessed[object.kind] || object.meta().GetNamespace() != ""
		}
	}
	var gaps []Gap
	for _, kind := range slices.SortedFunc(maps.Keys(guessed), compareKinds) {
		namespaced := guessed[kind]
		resource, _ := meta.UnsafeGuessKindToResource(kind)
		s.addGuess(resource, kind.Kind, namespaced)
		gaps = append(gaps, guessGap(resource, kind, namespaced))
	}
	return gaps
}

func compareKinds(a, b schema.GroupVersionKind) int { return cmp.Compare(a.String(), b.String()) }

func guessGap(resource schema.GroupVersionResource, kind schema.GroupVersionKind, namespaced bool) Gap {
	scope := "cluster-wide"
	if namespaced {
		scope = "namespaced"
	}
	return Gap{
		What: fmt.Sprintf("the kind %s of %s", kind.Kind, kind.GroupVersion()),
		Why:  fmt.Sprintf("its CustomResourceDefinition is not among the files, so it is only guessed that the resource is %q and %s", resource.Resource, scope),
	}
}

// addGuess adds a custom resource of which only the names are known. Almost all have a status.
func (s *kindSet) addGuess(resource schema.GroupVersionResource, kind string, namespaced bool) {
	if s.hasKind(schema.GroupKind{Group: resource.Group, Kind: kind}) {
		return
	}
	s.add(resource.GroupVersion(), []metav1.APIResource{
		{Name: resource.Resource, SingularName: strings.ToLower(kind), Namespaced: namespaced, Kind: kind, Verbs: customVerbs},
		statusOf(resource.Resource, kind, namespaced),
	})
}

func statusOf(resource, kind string, namespaced bool) metav1.APIResource {
	return metav1.APIResource{Name: resource + "/status", Namespaced: namespaced, Kind: kind, Verbs: metav1.Verbs{"get", "patch", "update"}}
}

// add makes the set serve resources, and their group and version if need be.
func (s *kindSet) add(gv schema.GroupVersion, resources []metav1.APIResource) {
	for i := range resources {
		resources[i].Group = cmp.Or(resources[i].Group, gv.Group)
		resources[i].Version = cmp.Or(resources[i].Version, gv.Version)
	}
	group := s.group(gv.Group)
	if _, served := group.VersionedResources[gv.Version]; served {
		group.VersionedResources[gv.Version] = append(group.VersionedResources[gv.Version], resources...)
		return
	}
	addServedVersion(group, gv, resources)
	if group.Group.PreferredVersion.Version == "" {
		group.Group.PreferredVersion = groupVersionForDiscovery(gv)
	}
}

func (s *kindSet) group(name string) *restmapper.APIGroupResources {
	for _, group := range s.groups {
		if group.Group.Name == name {
			return group
		}
	}
	group := &restmapper.APIGroupResources{VersionedResources: map[string][]metav1.APIResource{}}
	group.Group.Name = name
	s.groups = append(s.groups, group)
	return group
}

func (s *kindSet) hasKind(kind schema.GroupKind) bool {
	for _, group := range s.groups {
		if group.Group.Name != kind.Group {
			continue
		}
		for _, resources := range group.VersionedResources {
			if slices.ContainsFunc(resources, func(r metav1.APIResource) bool { return r.Kind == kind.Kind && !strings.Contains(r.Name, "/") }) {
				return true
			}
		}
	}
	return false
}
