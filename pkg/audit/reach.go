package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// reach is how far something goes: on how many objects, where, by which changes, and one of them as an example.
type reach struct {
	namespaces map[string]bool // that are open themselves
	objects    map[string]int  // in each namespace
	kinds      map[string]bool
	columns    map[Column]bool
	shown      *example
}

// reaches are those of several things of a sort.
type reaches[K comparable] map[K]*reach

// of is the reach of one of them.
func (r reaches[K]) of(key K) *reach {
	if r[key] == nil {
		r[key] = &reach{namespaces: map[string]bool{}, objects: map[string]int{}, kinds: map[string]bool{}, columns: map[Column]bool{}}
	}
	return r[key]
}

// note adds a probe of an object, which is counted once.
func (r reaches[K]) note(key K, object inventory.Object, t tried) {
	if r[key] == nil {
		r.of(key).count(object)
	}
	e := exampleOf(t)
	r[key].columns[t.Column] = true
	r[key].shown = lesser(r[key].shown, &e)
}

func (r reaches[K]) merge(other reaches[K]) {
	for key, one := range other {
		r.of(key).merge(one)
	}
}

// letting finds the bindings that let changes of one object through and only noted them.
func letting(object inventory.Object, all []tried) reaches[simulate.By] {
	found := reaches[simulate.By]{}
	for _, t := range all {
		if len(t.orders) > 0 || t.protection != ProtectionWarned && t.protection != ProtectionAudited {
			continue
		}
		for _, s := range t.acting {
			found.note(simulate.By{Kind: s.Kind, Policy: s.Policy, Binding: s.Binding}, object, t)
		}
	}
	return found
}

func (r *reach) count(object inventory.Object) {
	r.kinds[typeOf(object.Kind)] = true
	if isNamespace(object.Kind) {
		r.namespaces[object.Meta().GetName()] = true
		return
	}
	r.objects[object.Meta().GetNamespace()]++
}

func (r *reach) merge(other *reach) {
	maps.Copy(r.namespaces, other.namespaces)
	maps.Copy(r.kinds, other.kinds)
	for namespace, n := range other.objects {
		r.objects[namespace] += n
	}
	maps.Copy(r.columns, other.columns)
	r.shown = lesser(r.shown, other.shown)
}

// where says how many objects there are and in which namespaces: 2 namespaces and 13 objects in team-a and team-b.
func (r *reach) where() string {
	total := 0
	for _, n := range r.objects {
		total += n
	}
	var parts []string
	if len(r.namespaces) > 0 {
		parts = append(parts, count(len(r.namespaces), "namespace", "namespaces"))
	}
	if total > 0 {
		parts = append(parts, count(total, "object", "objects")+r.places())
	}
	return strings.Join(parts, " and ")
}

func (r *reach) places() string {
	const few = 3
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(r.objects)), func(name string) bool { return name == "" })
	switch {
	case len(names) == 0:
		return ""
	case len(names) > few:
		return fmt.Sprintf(" in %d namespaces", len(names))
	}
	return " in " + enumerate(names)
}

// changes names the kinds of change: additions and edits.
func (r *reach) changes() string {
	var list []string
	for _, column := range Columns() {
		if r.columns[column] {
			list = append(list, changesOf[column])
		}
	}
	return enumerate(list)
}

var changesOf = map[Column]string{ColumnCreate: "creations", ColumnAdd: "additions", ColumnEdit: "edits", ColumnRemove: "removals"}

var changeOfKey = map[Column]string{
	ColumnCreate: "creation with %s of", ColumnAdd: "addition of %s to", ColumnEdit: "edit of %s on", ColumnRemove: "removal of %s from",
}

// String names an example in a sentence: the removal of downscaler/uptime from deployments.apps/web in team-a.
func (e example) String() string {
	text := "the " + fmt.Sprintf(changeOfKey[e.Column], e.Key) + " " + typeOf(e.kind) + "/" + e.object.Name
	if e.object.Namespace != "" {
		text += " in " + e.object.Namespace
	}
	if len(e.refusedBy) > 0 {
		text += fmt.Sprintf(" (but for %s, with an annotation or without)", policyNames(e.refusedBy))
	}
	return text
}
