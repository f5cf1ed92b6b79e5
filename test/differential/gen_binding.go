package differential

import (
	"fmt"
	"slices"
)

// binding returns one of a policy's bindings.
func (d *draft) binding(g *generator, kind string, index int, spec Object) Object {
	operations := []string{"CREATE", "UPDATE", "DELETE"}
	if kind == "MutatingAdmissionPolicyBinding" {
		operations = operations[:2]
	}
	if g.chance(6) {
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
	ref := Object{"parameterNotFoundAction": pick1(g, []string{"Allow", "Deny"})}
	clusterScoped := d.paramKind == "ClusterSetting"
	if !clusterScoped && g.chance(2) || clusterScoped && g.chance(20) {
		ref["namespace"] = placeholder + "-" + pick1(g, []string{"a", "b"})
	}
	switch g.IntN(4) {
	case 0:
		ref["selector"] = Object{"matchLabels": Object{"use": "x", "group": placeholder}}
		if !clusterScoped {
			ref["selector"] = Object{"matchLabels": Object{"use": "x"}}
		}
	case 1:
		ref["selector"] = Object{"matchExpressions": List{Object{"key": "group", "operator": "Exists"}, Object{"key": "use", "operator": "In", "values": List{"y", "z"}}}}
		if !clusterScoped {
			ref["selector"] = Object{"matchExpressions": List{Object{"key": "use", "operator": "In", "values": List{"y", "z"}}}}
		} else {
			ref["selector"].(Object)["matchLabels"] = Object{"group": placeholder}
		}
	default:
		ref["name"] = pick1(g, []string{"param0", "param0", "param1", "nowhere"})
		if clusterScoped {
			ref["name"] = pick1(g, []string{placeholder + "-a", placeholder + "-a", placeholder + "-b", "nowhere"})
		}
	}
	return ref
}

// refFeature says how the parameters are found, and of a selector how many it finds in a namespace.
func (d *draft) refFeature(g *generator) string {
	if d.ref["selector"] == nil {
		if d.ref["namespace"] == nil && d.paramKind != "ClusterSetting" {
			return "paramRef by name, per namespace"
		}
		return "paramRef by name"
	}
	most := 0
	for _, suffix := range []string{"a", "b"} {
		most = max(most, d.hits(g, suffix))
	}
	return "paramRef by selector with hits, at most " + []string{"none", "one", "two"}[min(most, 2)]
}

// hits counts the parameters that the selector finds in one of the namespaces.
func (d *draft) hits(g *generator, suffix string) int {
	wanted := []any{"y", "z"}
	if textAt(d.ref, "selector", "matchLabels", "use") == "x" {
		wanted = []any{"x"}
	}
	found := 0
	for _, object := range g.group.Objects {
		namespace := namespaceOf(object)
		here := namespace == "" || namespace == placeholder+"-"+suffix
		if textAt(object, "kind") == d.paramKind && here && slices.Contains(wanted, at(object, "metadata", "labels", "use")) {
			found++
		}
	}
	return found
}
