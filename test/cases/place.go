package cases

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// ownLabel marks the namespaces of a case.
const ownLabel = "case"

// clusterScoped are the kinds of the cases' objects that have no namespace.
var clusterScoped = []string{"Namespace", "ClusterRole", "ClusterRoleBinding", "ClusterLimit", "ValidatingWebhookConfiguration"}

// placed returns the case with its namespaces marked, its objects and requests in them, and its bindings narrowed to them.
func (c Case) placed() Case {
	own := false
	for _, object := range c.Objects {
		u := unstructured.Unstructured{Object: object}
		if u.GetKind() == "Namespace" {
			own = own || u.GetName() == c.Name
			setLabel(object, c.Name, "metadata", "labels")
		}
		c.place(object)
	}
	if !own {
		c.Objects = slices.Insert(c.Objects, 0, Object{
			"apiVersion": "v1", "kind": "Namespace",
			"metadata": Object{"name": c.Name, "labels": Object{ownLabel: c.Name}},
		})
	}
	for _, policy := range c.Policies {
		if binding := (&unstructured.Unstructured{Object: policy}).GetKind(); binding == "ValidatingAdmissionPolicyBinding" || binding == "MutatingAdmissionPolicyBinding" {
			setLabel(policy, c.Name, "spec", "matchResources", "namespaceSelector", "matchLabels")
		}
	}
	for i := range c.Requests {
		r := &c.Requests[i]
		if r.Send != nil {
			c.place(r.Send)
			r.Namespace = (&unstructured.Unstructured{Object: r.Send}).GetNamespace()
		} else if r.Namespace == "" {
			r.Namespace = c.Name
		}
	}
	return c
}

// place puts an object into the case's namespace in place, unless it names another or has none.
func (c Case) place(object Object) {
	u := unstructured.Unstructured{Object: object}
	if u.GetNamespace() == "" && !slices.Contains(clusterScoped, u.GetKind()) {
		u.SetNamespace(c.Name)
	}
}

// setLabel puts the case's label where the path leads. A manifest that has no map there is refused by the API server.
func setLabel(object Object, name string, path ...string) {
	for _, key := range path {
		next, ok := object[key].(Object)
		if !ok {
			next = Object{}
			object[key] = next
		}
		object = next
	}
	object[ownLabel] = name
}
