package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// part is an object that the guard consists of: a policy, a binding or a parameter. Without a name it is a parameter that a selector would
// find.
type part struct {
	resource        schema.GroupResource
	namespace, name string
	// missing says of a parameter that it is not there yet.
	missing bool
}

// resourceOf are the resources of the kinds of policies and bindings.
var resourceOf = map[string]schema.GroupResource{
	kindValidating:        admissionregistrationv1.Resource("validatingadmissionpolicies"),
	kindValidatingBinding: admissionregistrationv1.Resource("validatingadmissionpolicybindings"),
	kindMutating:          admissionregistrationv1.Resource("mutatingadmissionpolicies"),
	kindMutatingBinding:   admissionregistrationv1.Resource("mutatingadmissionpolicybindings"),
}

// guardParts are the policies and their bindings that enforce them.
func guardParts(enforced []guardPolicy) []part {
	var parts []part
	for _, p := range enforced {
		parts = append(parts, part{resource: resourceOf[p.kind], name: p.name})
		for _, b := range p.bindings {
			if b.enforces {
				parts = append(parts, part{resource: resourceOf[b.kind], name: b.object.GetName()})
			}
		}
	}
	return parts
}

// paramParts are the parameters that a binding names. A binding that names no namespace reads them in that of the object which a request
// is about: there each of the namespaces given is looked at. What can't be read is a gap.
func paramParts(ctx context.Context, inv inventory.Inventory, p guardPolicy, b guardBinding, namespaces []string) ([]part, []inventory.Gap, error) {
	ref := b.paramRef
	if p.param == nil || ref == nil || !b.enforces {
		return nil, nil, nil
	}
	objects, kind, err := inv.Params(ctx, schema.FromAPIVersionAndKind(p.param.APIVersion, p.param.Kind))
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case meta.IsNoMatchError(err):
		return nil, nil, nil // there are none that could be written
	case err != nil:
		return nil, []inventory.Gap{{What: "who may write the parameters of " + b.kind + " " + b.object.GetName(), Why: err.Error()}}, nil
	}
	switch {
	case !kind.Namespaced:
		namespaces = []string{""}
	case ref.Namespace != "":
		namespaces = []string{ref.Namespace}
	}
	var parts []part
	for _, namespace := range namespaces {
		parts = append(parts, paramsIn(namespace, kind.Resource.GroupResource(), ref, objects)...)
	}
	return parts, nil, nil
}

// paramsIn are the parameters of one namespace: that of the reference's name, or those that its selector finds there, or else a new one.
func paramsIn(namespace string, resource schema.GroupResource, ref *admissionregistrationv1.ParamRef, objects []runtime.Object) []part {
	var parts []part
	for _, object := range objects {
		m := metaOf(object)
		if m.GetNamespace() == namespace && (ref.Name != "" && m.GetName() == ref.Name || ref.Name == "" && selects(ref.Selector, m)) {
			parts = append(parts, part{resource: resource, namespace: namespace, name: m.GetName()})
		}
	}
	if len(parts) == 0 {
		return []part{{resource: resource, namespace: namespace, name: ref.Name, missing: true}}
	}
	return parts
}

// objectNamespaces are those in which there is an object that was audited.
func (v *view) objectNamespaces() []string {
	all := map[string]bool{}
	for at := range v.gathered.tallies {
		if at.namespace != "" {
			all[at.namespace] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

func selects(selector *metav1.LabelSelector, object metav1.Object) bool {
	s, err := metav1.LabelSelectorAsSelector(selector)
	return err == nil && s.Matches(labels.Set(object.GetLabels()))
}

// paramFinding is about all parameters of one binding of a policy.
func (v *view) paramFinding(ctx context.Context, p guardPolicy, b guardBinding, editors []*editor) Finding {
	var ways, who []string
	for _, e := range editors {
		who = append(who, named(e.subjects)...)
		ways = append(ways, fmt.Sprintf("%s may %s %s, by %s", e.who(), enumerate(e.verbs), enumerate(partNames(e.parts)), e.grant.Role()))
	}
	return Finding{
		Subject: Subject{Kind: b.kind, Name: b.object.GetName(), Field: "spec.paramRef"}, Distinct: distinctSet(who),
		Message: fmt.Sprintf("What %s %s decides depends on parameters that others than the administrators may write. Inferred from RBAC: %s.",
			p.kind, p.name, enumerate(ways)),
		Evidence: editors[0].evidence(ctx, v),
		Remedy: fmt.Sprintf("Keep the parameters in a namespace where only administrators may write %s, and name it in spec.paramRef.namespace; or take that right out of these roles.",
			enumerate(resourcesOf(editors[0].parts))),
	}
}

// partNames name each part for a sentence.
func partNames(parts []part) []string {
	var names []string
	for _, p := range parts {
		text := p.resource.Resource
		if p.name != "" {
			text += "/" + p.name
		} else {
			text = "new " + text
		}
		if p.namespace != "" {
			text += " in " + p.namespace
		}
		names = append(names, text)
	}
	return names
}

func resourcesOf(parts []part) []string {
	var resources []string
	for _, p := range parts {
		if r := p.resource.String(); !slices.Contains(resources, r) {
			resources = append(resources, r)
		}
	}
	return resources
}
