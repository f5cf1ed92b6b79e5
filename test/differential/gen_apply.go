package differential

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// names sorted, so that what is chosen follows from the seed.
var (
	libraries     = slices.Sorted(maps.Keys(predicates))
	patchNames    = slices.Sorted(maps.Keys(patches))
	escapePointer = strings.NewReplacer("~", "~0", "/", "~1").Replace
)

// applyConfiguration returns an ApplyConfiguration's expression: one of lists and maps that only some kinds have, or
// one of the metadata that every kind has.
func (d *draft) applyConfiguration(g *generator) string {
	value := func(feature string) string { return d.marked(g, feature) }
	if evenly(g, "special ApplyConfiguration", []bool{true, false}) {
		if special := d.specialApply(g, value); special != "" {
			return special
		}
	}
	key := quote(g.key())
	switch evenly(g, "ApplyConfiguration", []string{"labels", "optional", "set", "conditional", "map", "error"}) {
	case "labels":
		return fmt.Sprintf("Object{metadata: Object.metadata{annotations: {%s: %s}, labels: {'team': 'c'}}}", key, value("ApplyConfiguration labels"))
	case "optional":
		return fmt.Sprintf("Object{metadata: Object.metadata{annotations: {?%s: optional.ofNonZeroValue(string(%s)), 'seen': string(%s)}}}", key, d.annotation(g), value("ApplyConfiguration optional"))
	case "set":
		return fmt.Sprintf("Object{metadata: Object.metadata{finalizers: ['example.com/one', 'example.com/two'], annotations: {'seen': %s}}}", value("ApplyConfiguration set"))
	case "conditional":
		return fmt.Sprintf("%s ? Object{metadata: Object.metadata{annotations: {%s: %s}}} : Object{}", g.predicate(d.scope).expression, key, value("ApplyConfiguration map"))
	case "error":
		return fmt.Sprintf("object.metadata.annotations['nobody/has-this'] == '' ? Object{} : Object{metadata: Object.metadata{annotations: {%s: %s}}}", key, value("ApplyConfiguration map"))
	}
	return fmt.Sprintf("Object{metadata: Object.metadata{annotations: {%s: %s}}}", key, value("ApplyConfiguration map"))
}

func (d *draft) annotation(g *generator) string { return g.annotationText(d.scope.object) }

// specialApply returns a configuration of a list that only one kind has, if the group is about that kind.
func (d *draft) specialApply(g *generator, value func(string) string) string {
	s := g.subjects[0]
	metadata := func(feature string) string {
		return "metadata: Object.metadata{annotations: {'seen': " + value(feature) + "}}"
	}
	only := func(kind, configuration string) string {
		return fmt.Sprintf("request.kind.kind == '%s' ? %s : Object{}", kind, configuration)
	}
	switch s.kind() {
	case "Deployment", "StatefulSet", "ReplicaSet", "DaemonSet":
		containers := evenly(g, "containers", []string{
			"[Object.spec.template.spec.containers{name: 'main', image: 'changed'}]",
			"[Object.spec.template.spec.containers{name: 'side', image: 'added'}]",
			"object.spec.template.spec.containers.map(c, Object.spec.template.spec.containers{name: c.name, env: [Object.spec.template.spec.containers.env{name: 'A', value: c.name}]})",
		})
		return only(s.kind(), fmt.Sprintf("Object{%s, spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: %s}}}}", metadata("ApplyConfiguration list-map"), containers))
	case "Service":
		return only("Service", fmt.Sprintf("Object{%s, spec: Object.spec{ports: [Object.spec.ports{name: 'more', port: 81, protocol: 'TCP'}]}}", metadata("ApplyConfiguration list-map")))
	case "Rollout":
		return only("Rollout", fmt.Sprintf(evenly(g, "rollout", []string{
			"Object{%s, spec: Object.spec{ports: [Object.spec.ports{name: 'http', port: 81}, Object.spec.ports{name: 'more', port: 82}]}}",
			"Object{%s, spec: Object.spec{tags: ['blue', 'green'], settings: {'a': 'c', 'd': 'e'}}}",
			"Object{%s, spec: Object.spec{replicas: 5}}",
		}), metadata("ApplyConfiguration of a custom resource")))
	}
	return ""
}

// schemaProbe is a group that passes once the API server knows the schemas of all custom resources.
func schemaProbe() Group {
	g := Group{About: "waits for schemas"}
	g.Objects = append(g.Objects, Object{"apiVersion": "v1", "kind": "Namespace", "metadata": Object{"name": placeholder + "-a", "labels": Object{"group": placeholder}}})
	var rules List
	for _, s := range subjects {
		if !s.isCustom() {
			continue
		}
		group, version, resource := resourceOf(s)
		rules = append(rules, Object{"apiGroups": List{group}, "apiVersions": List{version}, "operations": List{"CREATE"}, "resources": List{resource}})
		object := clone(s.Manifest)
		object["metadata"] = Object{"name": placeholder + "-probe", "namespace": placeholder + "-a"}
		if s.clusterScoped() {
			object["metadata"] = Object{"name": placeholder + "-probe"}
		}
		g.Requests = append(g.Requests, Request{User: "dev", Way: Create, Object: object})
	}
	d := draft{name: placeholder + "-probe", spec: Object{
		"matchConstraints": Object{"resourceRules": rules, "matchPolicy": "Exact"}, "reinvocationPolicy": "Never",
		"mutations": List{applyConfiguration("Object{metadata: Object.metadata{annotations: {'a': 'b'}}}")},
	}}
	g.Policies = []Object{d.object("MutatingAdmissionPolicy"), {
		"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingAdmissionPolicyBinding",
		"metadata": Object{"name": d.name}, "spec": Object{"policyName": d.name},
	}}
	return g
}
