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
	namespaces int            // that are open themselves
	objects    map[string]int // in each namespace
	columns    map[Column]bool
	shown      *example
}

func newReach() *reach { return &reach{objects: map[string]int{}, columns: map[Column]bool{}} }

// letting finds the bindings that let changes of one object through and only noted them.
func letting(object inventory.Object, all []tried) map[simulate.By]*reach {
	found := map[simulate.By]*reach{}
	for _, t := range all {
		if len(t.orders) > 0 || t.protection != ProtectionWarned && t.protection != ProtectionAudited {
			continue
		}
		for _, s := range t.acting {
			by := simulate.By{Kind: s.Kind, Policy: s.Policy, Binding: s.Binding}
			if found[by] == nil {
				found[by] = newReach()
				found[by].count(object)
			}
			e := exampleOf(t)
			found[by].columns[t.Column] = true
			found[by].shown = lesser(found[by].shown, &e)
		}
	}
	return found
}

func (r *reach) count(object inventory.Object) {
	if isNamespace(object.Kind) {
		r.namespaces++
		return
	}
	r.objects[object.Meta().GetNamespace()]++
}

func (r *reach) merge(other *reach) {
	r.namespaces += other.namespaces
	for namespace, n := range other.objects {
		r.objects[namespace] += n
	}
	maps.Copy(r.columns, other.columns)
	r.shown = lesser(r.shown, other.shown)
}

func mergeReaches(into, from map[simulate.By]*reach) {
	for by, r := range from {
		if into[by] == nil {
			into[by] = newReach()
		}
		into[by].merge(r)
	}
}

// where says how many objects there are and in which namespaces: 2 namespaces and 13 objects in team-a and team-b.
func (r *reach) where() string {
	total := 0
	for _, n := range r.objects {
		total += n
	}
	var parts []string
	if r.namespaces > 0 {
		parts = append(parts, count(r.namespaces, "namespace", "namespaces"))
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
	return text
}
