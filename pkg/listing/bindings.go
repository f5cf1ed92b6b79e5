package listing

import (
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// binding describes one binding of a policy, and says whether it covers the namespace that is asked for, or may.
func (l *lister) binding(b bound, s subject) (Binding, bool) {
	described := l.describe(b)
	covered := l.covered(namespaceSelector(s.constraints), namespaceSelector(b.resources))
	described.Namespaces = &covered
	return described, l.options.Namespace == "" || covered.Coverage != CoversSelected || len(covered.Covered) > 0
}

func (l *lister) describe(b bound) Binding {
	return Binding{
		Kind: b.kind, Name: b.object.GetName(), Policy: b.policy, Origin: l.origin(b.kind, b.object.GetName()),
		Actions: b.actions, ParamRef: paramRefOf(b.paramRef), Match: matchOf(b.resources),
	}
}

// addUnbound lists the bindings that name a policy that there isn't. Where policies could not be read, it may well be there.
func (l *lister) addUnbound(all *inventory.Policies) {
	if l.options.Namespace != "" || slices.ContainsFunc(all.Unread, func(gap inventory.Gap) bool { return !aboutWebhooks(gap) }) {
		return
	}
	policies := subjects(all)
	for _, b := range bindingsOf(all) {
		if !slices.ContainsFunc(policies, b.names) {
			l.report.BindingsWithoutPolicy = append(l.report.BindingsWithoutPolicy, l.describe(b))
		}
	}
}

func namespaceSelector(m *admissionregistrationv1.MatchResources) *metav1.LabelSelector {
	if m == nil {
		return nil
	}
	return m.NamespaceSelector
}

func paramRefOf(ref *admissionregistrationv1.ParamRef) *ParamRef {
	if ref == nil {
		return nil
	}
	found := &ParamRef{Name: ref.Name, Namespace: ref.Namespace, ParameterNotFoundAction: textOf(ref.ParameterNotFoundAction)}
	if ref.Selector != nil {
		found.Selector = metav1.FormatLabelSelector(ref.Selector)
	}
	return found
}

// origin says whether an object is one of those proposed.
func (l *lister) origin(kind, name string) Origin {
	proposed := map[string]bool{
		kindValidating:                 has(l.options.Proposed.Validating, name),
		kindValidating + bindingSuffix: has(l.options.Proposed.ValidatingBindings, name),
		kindMutating:                   has(l.options.Proposed.Mutating, name),
		kindMutating + bindingSuffix:   has(l.options.Proposed.MutatingBindings, name),
	}
	if proposed[kind] {
		return Proposed
	}
	return InForce
}

func has[T metav1.Object](objects []T, name string) bool {
	return slices.ContainsFunc(objects, func(object T) bool { return object.GetName() == name })
}
