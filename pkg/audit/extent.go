package audit

import (
	"maps"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// Extent is what a finding concerns that is about a set of things, by their names and not by how many objects there are. A list that is not
// there says nothing: whatever the finding concerns of this sort, it is no more than before.
type Extent struct {
	// Kinds are types such as deployments.apps, with the subresource behind a slash where that is what the finding is about.
	Kinds []string `json:"kinds,omitempty"`
	// Namespaces are there only where a selector chooses them: which there are else depends on the cluster, and not on the guard.
	Namespaces []string `json:"namespaces,omitempty"`
	// EveryNamespace says that no selector chooses them.
	EveryNamespace bool `json:"everyNamespace,omitempty"`
}

// Beyond is what an extent has beyond another one; nil where it has nothing more.
func (e *Extent) Beyond(known *Extent) *Extent {
	if e == nil || known == nil {
		return nil
	}
	var more Extent
	if known.Kinds != nil {
		more.Kinds = without(e.Kinds, known.Kinds)
	}
	if known.Namespaces != nil {
		more.Namespaces = without(e.Namespaces, known.Namespaces)
		more.EveryNamespace = e.EveryNamespace
	}
	if len(more.Kinds)+len(more.Namespaces) == 0 && !more.EveryNamespace {
		return nil
	}
	return &more
}

func without(list, others []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(one string) bool { return slices.Contains(others, one) })
}

// ofKinds is the extent of a finding that is about kinds wherever their objects are.
func ofKinds(kinds []string) *Extent {
	return &Extent{Kinds: slices.Compact(slices.Sorted(slices.Values(kinds)))}
}

// extentBy is what a binding lets through: the namespaces count only where it, or its policy, selects some.
func (v *view) extentBy(by simulate.By, r *reach) *Extent {
	extent := ofKinds(slices.Collect(maps.Keys(r.kinds)))
	if !v.selectsNamespaces(by) {
		extent.EveryNamespace = true
		return extent
	}
	namespaces := maps.Clone(r.namespaces)
	for name := range r.objects {
		namespaces[name] = true
	}
	delete(namespaces, "") // of objects that lie in none
	extent.Namespaces = slices.Sorted(maps.Keys(namespaces))
	return extent
}

func (v *view) selectsNamespaces(by simulate.By) bool {
	p, found := v.policyNamed(policyName{by.Kind, by.Policy})
	if !found {
		return false
	}
	matches := []*admissionregistrationv1.MatchResources{p.match}
	for _, b := range p.bindings {
		if b.object.GetName() == by.Binding {
			matches = append(matches, b.match)
		}
	}
	return slices.ContainsFunc(matches, func(match *admissionregistrationv1.MatchResources) bool {
		return match != nil && match.NamespaceSelector != nil && metav1.FormatLabelSelector(match.NamespaceSelector) != metav1.FormatLabelSelector(&metav1.LabelSelector{})
	})
}
