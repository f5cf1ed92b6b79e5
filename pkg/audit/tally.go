package audit

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// place is one kind in one namespace.
type place struct {
	kind      schema.GroupKind
	namespace string
}

// tally counts what the ordinary user's probes came to, and keeps an example of what matters.
type tally struct {
	kind    inventory.Kind
	objects int
	guards  map[Column]map[Protection]int
	// open is a change that passes unseen; removable one that removes what could not be edited.
	open, removable *example
}

func newTally(kind inventory.Kind) *tally {
	t := &tally{kind: kind, guards: map[Column]map[Protection]int{}}
	for _, column := range Columns() {
		t.guards[column] = map[Protection]int{}
	}
	return t
}

func (t *tally) add(all []tried) {
	t.objects++
	guard := guardOf(all)
	for _, column := range Columns() {
		t.guards[column][guard.Of(column)]++
	}
	for _, one := range all {
		if one.protection == ProtectionAllowed && len(one.orders) == 0 {
			e := exampleOf(one)
			t.open = lesser(t.open, &e)
			t.addRemovable(one, all)
		}
	}
}

// addRemovable keeps a removal that passes of a key whose edit is prevented.
func (t *tally) addRemovable(removal tried, all []tried) {
	if removal.Column != ColumnRemove {
		return
	}
	if at := preventedEdit(removal, all); at >= 0 {
		e := exampleOf(removal)
		e.preventedBy = policiesOf(all[at].acting)
		t.removable = lesser(t.removable, &e)
	}
}

// preventedEdit is where the prevented edit of the same key stands; -1 if there is none.
func preventedEdit(removal tried, all []tried) int {
	return slices.IndexFunc(all, func(other tried) bool {
		return other.Column == ColumnEdit && other.Key == removal.Key && other.protection.Prevents()
	})
}

func (t *tally) merge(other *tally) {
	t.objects += other.objects
	for column, counts := range other.guards {
		for protection, n := range counts {
			t.guards[column][protection] += n
		}
	}
	t.open = lesser(t.open, other.open)
	t.removable = lesser(t.removable, other.removable)
}

// any says whether some object's column came to something that fits.
func (t *tally) any(fits func(Protection) bool) bool {
	for _, counts := range t.guards {
		for protection, n := range counts {
			if n > 0 && fits(protection) {
				return true
			}
		}
	}
	return false
}

// example is one change with what is needed to make it again.
type example struct {
	Probe
	object      simulate.ObjectRef
	kind        inventory.Kind
	preventedBy []policyName
	// refusedBy are the policies that refuse it with the annotation or without.
	refusedBy []policyName
}

func exampleOf(t tried) example {
	e := example{Probe: t.Probe, object: Ref(t.Object), kind: t.Object.Kind, refusedBy: policiesOf(t.refusals())}
	e.Object = inventory.Object{} // an example outlives the page it came with
	return e
}

// compare puts those first that no other policy refuses, then those that a command can repeat, then by column and by name.
func (e example) compare(other example) int {
	return cmp.Or(
		compareBool(len(e.refusedBy) > 0, len(other.refusedBy) > 0),
		compareBool(e.onCopy(), other.onCopy()),
		cmp.Compare(slices.Index(examplesFirst, e.Column), slices.Index(examplesFirst, other.Column)),
		e.object.Compare(other.object),
		cmp.Compare(e.Key, other.Key),
	)
}

// onCopy says whether the change needs an object with a key that the stored one does not carry. A creation
// does not: it is one of the object without the keys, and --operation create with them comes to the same for the new key.
func (e example) onCopy() bool { return e.Copied && e.Column != ColumnCreate }

var examplesFirst = []Column{ColumnAdd, ColumnEdit, ColumnRemove, ColumnCreate}

func lesser(a, b *example) *example {
	if a == nil || b != nil && b.compare(*a) < 0 {
		return b
	}
	return a
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
