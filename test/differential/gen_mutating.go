package differential

import (
	"fmt"
	"slices"
	"strings"
)

// mutating returns a mutating policy and its bindings.
func (g *generator) mutating(name string) []Object {
	operations := pick1(g, [][]string{{"CREATE", "UPDATE"}, {"CREATE", "UPDATE"}, {"UPDATE"}, {"CREATE"}})
	d := g.begin(name, operations)
	d.spec["reinvocationPolicy"] = pick1(g, []string{"Never", "IfNeeded"})
	var mutations List
	for i := range 1 + g.IntN(4) {
		own := strings.NewReplacer("seen", fmt.Sprintf("seen%d", i)) // or the next one covers up its marks
		if g.chance(3) {
			mutations = append(mutations, applyConfiguration(own.Replace(d.applyConfiguration(g))))
		} else {
			mutations = append(mutations, jsonPatch(own.Replace(d.jsonPatch(g))))
		}
	}
	d.spec["mutations"] = mutations
	return d.mutatingObjects(g)
}

func (d *draft) mutatingObjects(g *generator) []Object {
	binding := d.binding(g, "MutatingAdmissionPolicyBinding", 0, Object{"policyName": d.name})
	return []Object{d.object("MutatingAdmissionPolicy"), binding}
}

func jsonPatch(expression string) Object {
	return Object{"patchType": "JSONPatch", "jsonPatch": Object{"expression": expression}}
}

func applyConfiguration(expression string) Object {
	return Object{"patchType": "ApplyConfiguration", "applyConfiguration": Object{"expression": expression}}
}

// patches are JSON patches of annotations. %[1]s is a key's path, %[2]s the key, %[3]s a value with marks, %[4]s
// another key's path.
var patches = map[string][]string{
	"JSONPatch add": {
		`has(object.metadata.annotations) ? [JSONPatch{op: 'add', path: %[1]s, value: %[3]s}] : [JSONPatch{op: 'add', path: '/metadata/annotations', value: {%[2]s: %[3]s}}]`,
		`(has(object.metadata.annotations) ? [] : [JSONPatch{op: 'add', path: '/metadata/annotations', value: {}}]) + [JSONPatch{op: 'add', path: %[1]s, value: %[3]s}]`,
		`[JSONPatch{op: 'add', path: %[1]s, value: %[3]s}]`,
	},
	"JSONPatch remove": {
		`has(object.metadata.annotations) && %[2]s in object.metadata.annotations ? [JSONPatch{op: 'remove', path: %[1]s}, JSONPatch{op: 'add', path: '/metadata/annotations/seen', value: %[3]s}] : []`,
		`object.metadata.?annotations.orValue({}).transformList(k, v, k.startsWith('downscaler/'), JSONPatch{op: 'remove', path: '/metadata/annotations/' + jsonpatch.escapeKey(k)}) + (has(object.metadata.annotations) ? [JSONPatch{op: 'add', path: '/metadata/annotations/seen', value: %[3]s}] : [])`,
		`[JSONPatch{op: 'remove', path: %[1]s}]`,
	},
	"JSONPatch replace": {
		`has(object.metadata.annotations) && object.metadata.annotations.size() > 0 ? [object.metadata.annotations.map(k, k)[0]].map(k, JSONPatch{op: 'replace', path: '/metadata/annotations/' + jsonpatch.escapeKey(k), value: %[3]s}) : []`,
		`has(object.metadata.annotations) && %[2]s in object.metadata.annotations ? [JSONPatch{op: 'replace', path: %[1]s, value: %[3]s}] : []`,
		`oldObject != null && %[2]s in oldObject.metadata.?annotations.orValue({}) ? [JSONPatch{op: 'replace', path: %[1]s, value: oldObject.metadata.annotations[%[2]s]}] : []`,
	},
	"JSONPatch test": {
		`has(object.metadata.annotations) ? [JSONPatch{op: 'test', path: %[1]s, value: 'true'}, JSONPatch{op: 'replace', path: %[1]s, value: %[3]s}] : []`,
		`%[2]s in object.metadata.?annotations.orValue({}) ? [JSONPatch{op: 'test', path: %[1]s, value: object.metadata.annotations[%[2]s]}, JSONPatch{op: 'replace', path: %[1]s, value: %[3]s}] : []`,
	},
	"JSONPatch copy": {
		`has(object.metadata.annotations) && %[2]s in object.metadata.annotations ? [JSONPatch{op: 'copy', from: %[1]s, path: %[4]s}, JSONPatch{op: 'add', path: '/metadata/annotations/seen', value: %[3]s}] : []`,
		`has(object.metadata.labels) ? [JSONPatch{op: 'copy', from: '/metadata/labels', path: '/metadata/annotations'}, JSONPatch{op: 'add', path: '/metadata/annotations/seen', value: %[3]s}] : []`,
	},
	"JSONPatch move": {
		`has(object.metadata.annotations) && %[2]s in object.metadata.annotations ? [JSONPatch{op: 'move', from: %[1]s, path: %[4]s}, JSONPatch{op: 'add', path: '/metadata/annotations/seen', value: %[3]s}] : []`,
	},
	"JSONPatch escapes": {
		`has(object.metadata.annotations) ? [JSONPatch{op: 'add', path: '/metadata/annotations/' + jsonpatch.escapeKey('example.com/x'), value: %[3]s}] : []`,
		`has(object.metadata.annotations) ? [JSONPatch{op: 'add', path: '/metadata/annotations/example.com~1y', value: %[3]s}] : []`,
		`has(object.metadata.annotations) ? [JSONPatch{op: 'add', path: '/metadata/annotations/a~0b', value: %[3]s}] : []`,
		`has(object.metadata.annotations) ? [JSONPatch{op: 'add', path: '/metadata/annotations/' + %[2]s, value: %[3]s}] : []`,
	},
	"JSONPatch labels": {
		`has(object.metadata.labels) ? (has(object.metadata.annotations) ? [] : [JSONPatch{op: 'add', path: '/metadata/annotations', value: {}}]) + [JSONPatch{op: 'add', path: '/metadata/labels/team', value: 'b'}, JSONPatch{op: 'add', path: '/metadata/annotations/seen', value: %[3]s}] : []`,
	},
	"JSONPatch list": {
		`[JSONPatch{op: 'add', path: '/metadata/finalizers', value: ['example.com/one']}, JSONPatch{op: 'add', path: '/metadata/finalizers/-', value: 'example.com/two'}, JSONPatch{op: 'remove', path: '/metadata/finalizers/0'}] + (has(object.metadata.annotations) ? [] : [JSONPatch{op: 'add', path: '/metadata/annotations', value: {}}]) + [JSONPatch{op: 'add', path: '/metadata/annotations/seen', value: %[3]s}]`,
	},
}

// jsonPatch returns a JSON patch's expression.
func (d *draft) jsonPatch(g *generator) string {
	name := pick1(g, patchNames)
	text, source := g.text(d.scope)
	value := quote(marks(append(slices.Clone(d.features), name, source))) + " + " + text
	key := g.key()
	return fmt.Sprintf(pick1(g, patches[name]), annotationPath(g, key), quote(key), value, annotationPath(g, g.key()))
}

// annotationPath writes the path of an annotation in one of two ways.
func annotationPath(g *generator, key string) string {
	if g.chance(2) {
		return "'/metadata/annotations/' + jsonpatch.escapeKey(" + quote(key) + ")"
	}
	return quote("/metadata/annotations/" + escapePointer(key))
}
