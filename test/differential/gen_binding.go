package differential

import "fmt"

// binding returns one of a policy's bindings.
func (d *draft) binding(g *generator, kind string, index int, spec Object) Object {
	operations := []string{"CREATE", "UPDATE", "DELETE"}
	if kind == "MutatingAdmissionPolicyBinding" {
		operations = operations[:2]
	}
	if evenly(g, "matchResources", []bool{true, false, false, false, false}) {
		spec["matchResources"] = g.matchResources(operations)
	}
	if d.paramKind != "" {
		spec["paramRef"] = d.ref
	}
	return Object{
		"apiVersion": "admissionregistration.k8s.io/v1", "kind": kind,
		"metadata": Object{"name": fmt.Sprintf("%s-b%d", d.name, index)}, "spec": spec,
	}
}

// paramRef returns a reference by name or selector, into one namespace or the request's own.
func (d *draft) paramRef(g *generator) Object {
	ref := Object{"parameterNotFoundAction": evenly(g, "parameterNotFoundAction", []string{"Allow", "Deny"})}
	clusterScoped := d.paramKind == "ClusterSetting"
	if !clusterScoped && !evenly(g, "per namespace", []bool{true, true, false}) || clusterScoped && g.chance(20) {
		ref["namespace"] = placeholder + "-" + pick1(g, []string{"a", "b"})
	}
	if g.aboutClusterScoped() && !clusterScoped { // whose requests have no namespace to look in
		delete(ref, "namespace")
	}
	how := evenly(g, "paramRef", []string{"name", "name", "nowhere", "nowhere", "x", "x", "y or z", "y or z"})
	name := pick1(g, []string{"param0", "param1"})
	if clusterScoped {
		name = placeholder + "-" + pick1(g, []string{"a", "b"})
	}
	switch how {
	case "name":
		ref["name"] = name
	case "nowhere":
		ref["name"] = how
	case "x":
		ref["selector"] = Object{"matchLabels": Object{"use": "x", "group": placeholder}}
	default:
		ref["selector"] = Object{
			"matchLabels":      Object{"group": placeholder},
			"matchExpressions": List{Object{"key": "use", "operator": "In", "values": List{"y", "z"}}},
		}
	}
	return ref
}
