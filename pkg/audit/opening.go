package audit

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// opening tells the changes apart that pass unseen: by the kind and the namespace of the object, by the kind of change, and by what the policies
// say of it that see it.
type opening struct {
	kind      schema.GroupKind
	namespace string
	column    Column
	seenBy    string
	// known says that the downscaler reads the key.
	known bool
}

// opened is how many objects an opening is found on, with an example.
type opened struct {
	objects int
	shown   *example
}

// noteOpenings keeps what passes of one object, but for removals of what can't be edited, which removal-not-prevented is about.
func (g *gathered) noteOpenings(object inventory.Object, all []tried) {
	met := map[opening]bool{}
	for _, one := range all {
		if one.protection != ProtectionAllowed || len(one.orders) > 0 || one.Column == ColumnRemove && preventedEdit(one, all) >= 0 {
			continue
		}
		key := opening{
			kind: object.Kind.Kind.GroupKind(), namespace: object.Meta().GetNamespace(), column: one.Column,
			seenBy: seenBy(one.result.Steps), known: downscaler.Known(one.Key),
		}
		e := exampleOf(one)
		found := &opened{shown: &e}
		if !met[key] {
			found.objects = 1
		}
		met[key] = true
		g.keepOpening(key, found)
	}
}

func (g *gathered) keepOpening(key opening, found *opened) {
	if g.openings[key] == nil {
		g.openings[key] = &opened{}
	}
	g.openings[key].objects += found.objects
	g.openings[key].shown = lesser(g.openings[key].shown, found.shown)
}

// seenBy is what those policies decide that a request meets.
func seenBy(steps []policy.Step) string {
	var b strings.Builder
	for _, s := range steps {
		if s.Policy == "" || s.Decision == policy.NotMatched {
			continue
		}
		for _, text := range []string{s.Kind, s.Policy, s.Binding, string(s.Decision), s.Because.Rule, "\n"} {
			b.WriteString(text)
			b.WriteByte(' ')
		}
	}
	return b.String()
}
