package differential

import (
	"fmt"
	"strings"
)

// mutating returns a mutating policy and its binding.
func (g *generator) mutating(name string) []Object {
	operations := pick1(g, [][]string{{"CREATE", "UPDATE"}, {"CREATE", "UPDATE"}, {"UPDATE"}, {"CREATE"}})
	d := g.begin(name, operations, true)
	d.mutate(g)
	var mutations List
	for i := range 1 + g.IntN(4) {
		own := strings.NewReplacer("seen", fmt.Sprintf("seen%d", i)) // or the next one covers up its marks
		if evenly(g, "patchType", []bool{true, false}) {
			mutations = append(mutations, applyConfiguration(own.Replace(d.applyConfiguration(g))))
		} else {
			key := g.key()
			if g.chance(2) { // so that there is something to remove, test, copy or move
				mutations = append(mutations, applyConfiguration("Object{metadata: Object.metadata{annotations: {"+quote(key)+": 'true'}}}"))
			}
			mutations = append(mutations, jsonPatch(own.Replace(d.jsonPatch(g, key))))
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
		`has(object.metadata.annotations) ? [JSONPatch{op: 'add', path: %[1]s, value: 'added'}, JSONPatch{op: 'add', path: '/metadata/annotations/seen', value: %[3]s}] : [JSONPatch{op: 'add', path: '/metadata/annotations', value: {%[2]s: 'x', 'seen': %[3]s}}]`,
		`(has(object.metadata.annotations) ? [] : [JSONPatch{op: 'add', path: '/metadata/annotations', value: {}}]) + [JSONPatch{op: 'add', path: %[1]s, value: %[3]s}]`,
		`[JSONPatch{op: 'add', path: '/metadata/annotations/seen', value: %[3]s}]`,
	},
	"JSONPatch remove": {
		`has(object.metadata.annotations) && %[2]s in object.metadata.annotations ? [JSONPatch{op: 'remove', path: %[1]s}, JSONPatch{op: 'add', path: '/metadata/annotations/seen', value: %[3]s}] : []`,
		`object.metadata.?annotations.orValue({}).transformList(k, v, k.startsWith('downscaler/'), JSONPatch{op: 'remove', path: '/metadata/annotations/' + jsonpatch.escapeKey(k)}) + (has(object.metadata.annotations) ? [JSONPatch{op: 'add', path: '/metadata/annotations/seen', value: %[3]s}] : [])`,
		`[JSONPatch{op: 'remove', path: %[1]s}, JSONPatch{op: 'add', path: '/metadata/annotations/seen', value: %[3]s}]`,
	},
	"JSONPatch replace": {
		`has(object.metadata.annotations) && object.metadata.annotations.size() > 0 ? [object.metadata.annotations.map(k, k).min()].map(k, JSONPatch{op: 'replace', path: '/metadata/annotations/' + jsonpatch.escapeKey(k), value: %[3]s}) : []`,
		`has(object.metadata.annotations) && %[2]s in object.metadata.annotations ? [JSONPatch{op: 'replace', path: %[1]s, value: %[3]s}] : []`,
		`oldObject != null && %[2]s in oldObject.metadata.?annotations.orValue({}) ? [JSONPatch{op: 'replace', path: %[1]s, value: oldObject.metadata.annotations[%[2]s]}] : []`,
		`[JSONPatch{op: 'replace', path: '/metadata/annotations', value: {'replaced': 'all', 'seen': %[3]s}}]`,
	},
	"JSONPatch test": {
		`%[2]s in object.metadata.?annotations.orValue({}) ? [JSONPatch{op: 'test', path: %[1]s, value: 'true'}, JSONPatch{op: 'add', path: '/metadata/annotations/seen', value: %[3]s}] : []`,
		`%[2]s in object.metadata.?annotations.orValue({}) ? [JSONPatch{op: 'test', path: %[1]s, value: object.metadata.annotations[%[2]s]}, JSONPatch{op: 'replace', path: %[1]s, value: %[3]s}] : []`,
		`has(object.metadata.annotations) ? [JSONPatch{op: 'test', path: %[1]s, value: 'true'}, JSONPatch{op: 'add', path: '/metadata/annotations/seen', value: %[3]s}] : []`,
		`%[2]s in object.metadata.?annotations.orValue({}) ? [JSONPatch{op: 'test', path: %[1]s, value: object.metadata.annotations[%[2]s]}, JSONPatch{op: 'add', path: '/metadata/annotations/seen', value: %[3]s}] : []`,
		`[JSONPatch{op: 'test', path: %[1]s, value: 'other'}, JSONPatch{op: 'add', path: '/metadata/annotations/seen', value: %[3]s}]`,
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
		`has(object.metadata.annotations) ? [JSONPatch{op: 'add', path: '/metadata/annotations/' + %[2]s, value: 'plain'}, JSONPatch{op: 'add', path: '/metadata/annotations/seen', value: %[3]s}] : []`,
	},
	"JSONPatch labels": {
		`has(object.metadata.labels) ? (has(object.metadata.annotations) ? [] : [JSONPatch{op: 'add', path: '/metadata/annotations', value: {}}]) + [JSONPatch{op: 'add', path: '/metadata/labels/team', value: 'b'}, JSONPatch{op: 'add', path: '/metadata/annotations/seen', value: %[3]s}] : []`,
	},
	"JSONPatch list": {
		`[JSONPatch{op: 'add', path: '/metadata/finalizers', value: ['example.com/one']}, JSONPatch{op: 'add', path: '/metadata/finalizers/-', value: 'example.com/two'}, JSONPatch{op: 'remove', path: '/metadata/finalizers/0'}] + (has(object.metadata.annotations) ? [] : [JSONPatch{op: 'add', path: '/metadata/annotations', value: {}}]) + [JSONPatch{op: 'add', path: '/metadata/annotations/seen', value: %[3]s}]`,
	},
}

// jsonPatch returns a JSON patch's expression.
func (d *draft) jsonPatch(g *generator, key string) string {
	name := evenly(g, "JSONPatch", patchNames)
	return fmt.Sprintf(evenly(g, name, patches[name]), annotationPath(g, key), quote(key), d.marked(g, name), annotationPath(g, g.key()))
}

// marked returns the value that a mutation writes: its marks, its policy's name and some text.
func (d *draft) marked(g *generator, features ...string) string {
	text, source := g.text(d.scope)
	return quote(marks(append(features, source))+d.name+" ") + " + " + text
}

// annotationPath writes the path of an annotation in one of two ways.
func annotationPath(g *generator, key string) string {
	if g.chance(2) {
		return "'/metadata/annotations/' + jsonpatch.escapeKey(" + quote(key) + ")"
	}
	return quote("/metadata/annotations/" + escapePointer(key))
}

// spoiling are patches like those of patches, after which the object is none any more.
var spoiling = []string{
	`[JSONPatch{op: 'add', path: '/metadata/labels', value: %[3]s}]`,
	`[JSONPatch{op: 'add', path: '/metadata/annotations', value: {%[2]s: dyn(%[3]s), 'number': dyn(5)}}]`,
	`[JSONPatch{op: 'add', path: '/metadata/nothing', value: %[3]s}]`,
	`[JSONPatch{op: 'replace', path: '/metadata/labels', value: {'not a label!': %[3]s}}]`,
	`[JSONPatch{op: 'replace', path: '/metadata/name', value: 'elsewhere'}, JSONPatch{op: 'add', path: '/metadata/annotations', value: {'seen': %[3]s}}]`,
	`object.metadata.?namespace.hasValue() ? [JSONPatch{op: 'replace', path: '/metadata/namespace', value: 'elsewhere'}, JSONPatch{op: 'add', path: '/metadata/annotations', value: {'seen': %[3]s}}] : []`,
	`[JSONPatch{op: 'remove', path: '/metadata'}, JSONPatch{op: 'add', path: '/metadata', value: {'x': %[3]s}}]`,
}

// spoiled has a policy that makes of the object what the API server can't read or does not take.
func (g *generator) spoiled() {
	d := g.everything("m0", "CREATE", "UPDATE")
	d.mutate(g)
	d.spec["failurePolicy"] = evenly(g, "failurePolicy", []string{"Fail", "Ignore"})
	key := g.key()
	patch := fmt.Sprintf(evenly(g, "spoiling", spoiling), annotationPath(g, key), quote(key), d.marked(g))
	d.spec["mutations"] = List{jsonPatch(patch)}
	g.add(d.mutatingObjects(g))
}
