package inventory

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/restmapper"
)

// servedGroups are what an API server says it serves, in the form that builtin.json and snapshots keep.
// Every field that Kinds reads is in it; what changes from run to run, such as storage hashes, is not.
type servedGroups []servedGroup

type servedGroup struct {
	Name      string          `json:"name"`
	Preferred string          `json:"preferredVersion"`
	Versions  []servedVersion `json:"versions"`
}

type servedVersion struct {
	Version   string           `json:"version"`
	Resources []servedResource `json:"resources"`
}

type servedResource struct {
	Name       string   `json:"name"`
	Singular   string   `json:"singularName,omitempty"`
	Namespaced bool     `json:"namespaced,omitempty"`
	Group      string   `json:"group,omitempty"` // of the kind, where it isn't the resource's
	Version    string   `json:"version,omitempty"`
	Kind       string   `json:"kind"`
	Verbs      []string `json:"verbs"`
	ShortNames []string `json:"shortNames,omitempty"`
	Categories []string `json:"categories,omitempty"`
}

// newServedGroups keeps the documents that kinds were made from.
func newServedGroups(kinds *Kinds) servedGroups {
	d := servedGroups{}
	for _, group := range kinds.Groups() {
		kept := servedGroup{Name: group.Group.Name, Preferred: group.Group.PreferredVersion.Version}
		for _, version := range group.Group.Versions {
			gv := schema.GroupVersion{Group: group.Group.Name, Version: version.Version}
			kept.Versions = append(kept.Versions, newServedVersion(gv, group.VersionedResources[version.Version]))
		}
		d = append(d, kept)
	}
	return d
}

func newServedVersion(gv schema.GroupVersion, resources []metav1.APIResource) servedVersion {
	kept := servedVersion{Version: gv.Version, Resources: []servedResource{}}
	for _, r := range resources {
		resource := servedResource{
			Name: r.Name, Singular: r.SingularName, Namespaced: r.Namespaced, Kind: r.Kind,
			Verbs: r.Verbs, ShortNames: r.ShortNames, Categories: r.Categories,
		}
		if r.Group != gv.Group || r.Version != gv.Version {
			resource.Group, resource.Version = r.Group, r.Version
		}
		kept.Resources = append(kept.Resources, resource)
	}
	return kept
}

// groups turns the kept form back into what NewKinds takes.
func (d servedGroups) groups() []*restmapper.APIGroupResources {
	var groups []*restmapper.APIGroupResources
	for _, kept := range d {
		group := &restmapper.APIGroupResources{VersionedResources: map[string][]metav1.APIResource{}}
		group.Group.Name = kept.Name
		for _, version := range kept.Versions {
			gv := schema.GroupVersion{Group: kept.Name, Version: version.Version}
			addServedVersion(group, gv, version.apiResources())
			if version.Version == kept.Preferred {
				group.Group.PreferredVersion = groupVersionForDiscovery(gv)
			}
		}
		groups = append(groups, group)
	}
	return groups
}

func (v servedVersion) apiResources() []metav1.APIResource {
	var resources []metav1.APIResource
	for _, r := range v.Resources {
		resources = append(resources, metav1.APIResource{
			Name: r.Name, SingularName: r.Singular, Namespaced: r.Namespaced,
			Group: r.Group, Version: r.Version, Kind: r.Kind,
			Verbs: r.Verbs, ShortNames: r.ShortNames, Categories: r.Categories,
		})
	}
	return resources
}

// addServedVersion makes a group serve one more version, after those it has.
func addServedVersion(group *restmapper.APIGroupResources, gv schema.GroupVersion, resources []metav1.APIResource) {
	group.Group.Versions = append(group.Group.Versions, groupVersionForDiscovery(gv))
	group.VersionedResources[gv.Version] = resources
}

func groupVersionForDiscovery(gv schema.GroupVersion) metav1.GroupVersionForDiscovery {
	return metav1.GroupVersionForDiscovery{GroupVersion: gv.String(), Version: gv.Version}
}
