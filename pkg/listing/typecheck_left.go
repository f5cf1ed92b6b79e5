package listing

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// leftOut explains what the checker did not look at. Which kinds those are is the checker's own choice (k8s.io/apiserver, typesToCheck):
// here it is only put into words.
type leftOut struct {
	checked map[schema.GroupVersionKind]error
	kinds   *inventory.Kinds
}

// of returns the kinds that were checked, and what else the rules name.
func (l leftOut) of(p *admissionregistrationv1.ValidatingAdmissionPolicy) (checked []string, others []inventory.Gap) {
	named := map[schema.GroupVersionKind]bool{} // the others are the parameters'
	if p.Spec.MatchConstraints != nil {
		for _, rule := range p.Spec.MatchConstraints.ResourceRules {
			others = append(others, l.ofRule(rule, named)...)
		}
	}
	for _, kind := range inOrder(l.checked) {
		switch err := l.checked[kind]; {
		case err != nil:
			others = append(others, inventory.Gap{What: spelled(kind), Why: err.Error()})
		case named[kind]:
			checked = append(checked, spelled(kind))
		}
	}
	return checked, unique(others)
}

// ofRule says what of a rule the checker passes over.
func (l leftOut) ofRule(rule admissionregistrationv1.NamedRuleWithOperations, named map[schema.GroupVersionKind]bool) []inventory.Gap {
	var left []inventory.Gap
	if hasWildcard(rule.APIGroups) || hasWildcard(rule.APIVersions) {
		return []inventory.Gap{{What: strings.Join(rule.Resources, ", "), Why: "the API server passes over rules with a wildcard for the group or the version"}}
	}
	for _, resource := range rule.Resources {
		if name, _, isSub := strings.Cut(resource, "/"); strings.Contains(resource, "*") || isSub && !slices.Contains(rule.Resources, name) {
			left = append(left, inventory.Gap{What: resource, Why: "the API server passes over subresources and wildcards"})
		}
	}
	for _, group := range rule.APIGroups {
		for _, v := range rule.APIVersions {
			for _, resource := range plain(rule.Resources) {
				if gap, isLeft := l.ofResource(schema.GroupVersionResource{Group: group, Version: v, Resource: resource}, named); isLeft {
					left = append(left, gap)
				}
			}
		}
	}
	return left
}

func (l leftOut) ofResource(resource schema.GroupVersionResource, named map[schema.GroupVersionKind]bool) (inventory.Gap, bool) {
	what := resource.GroupResource().String() + " " + resource.Version
	kinds, err := l.kinds.Mapper().KindsFor(resource)
	if err != nil || len(kinds) == 0 {
		if why, unread := l.kinds.Unread(resource.GroupVersion()); unread {
			return inventory.Gap{What: what, Why: "what the server serves in " + resource.GroupVersion().String() + " is not known: " + why}, true
		}
		return inventory.Gap{What: what, Why: "the server does not serve it"}, true
	}
	for _, kind := range kinds {
		named[kind] = true
		if _, asked := l.checked[kind]; !asked {
			return inventory.Gap{What: what, Why: "the API server checks no more than ten types"}, true
		}
	}
	return inventory.Gap{}, false
}

// plain are the resources that are neither subresources nor wildcards.
func plain(resources []string) []string {
	return slices.DeleteFunc(slices.Clone(resources), func(r string) bool { return strings.ContainsAny(r, "*/") })
}

func hasWildcard(list []string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, "*") })
}

func unique(gaps []inventory.Gap) []inventory.Gap {
	var found []inventory.Gap
	for _, gap := range gaps {
		if !slices.Contains(found, gap) {
			found = append(found, gap)
		}
	}
	return found
}

func spelled(kind schema.GroupVersionKind) string {
	return kind.GroupVersion().String() + " " + kind.Kind
}

func inOrder(asked map[schema.GroupVersionKind]error) []schema.GroupVersionKind {
	return slices.SortedFunc(maps.Keys(asked), func(a, b schema.GroupVersionKind) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Version, b.Version), cmp.Compare(a.Kind, b.Kind))
	})
}

// sameMinor says whether two versions are of the same minor release.
func sameMinor(a, b string) bool {
	one, err := version.ParseGeneric(a)
	other, otherErr := version.ParseGeneric(b)
	return errors.Join(err, otherErr) == nil && one.Major() == other.Major() && one.Minor() == other.Minor()
}
