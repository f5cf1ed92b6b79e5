package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// told says of all ways what becomes of them; those that come to the same share a clause.
func (d drift) told() string {
	type clause struct{ template, fate string }
	ways := map[clause][]string{}
	var order []clause
	for _, w := range d.ways {
		c := clause{w.template, w.fate()}
		if ways[c] == nil {
			order = append(order, c)
		}
		ways[c] = append(ways[c], w.way)
	}
	var clauses []string
	for _, c := range order {
		clauses = append(clauses, fmt.Sprintf("with %s, %s %s", enumerate(ways[c]), c.template, c.fate))
	}
	return strings.Join(clauses, "; ")
}

// fate is what the request does to the annotations and what is done about it.
func (w drifted) fate() string {
	var asked, made []string
	for _, a := range w.annotations {
		switch a.Change {
		case simulate.Added:
			asked = append(asked, fmt.Sprintf("adds %s with %s", a.Key, shown(*a.Proposed)))
		case simulate.Edited:
			asked = append(asked, fmt.Sprintf("changes %s from %s to %s", a.Key, shown(*a.Before), shown(*a.Proposed)))
		case simulate.Removed:
			asked = append(asked, fmt.Sprintf("removes %s, which is %s", a.Key, shown(*a.Before)))
		case simulate.Unchanged, simulate.None:
		}
		if !w.blocked && a.Effect != simulate.EffectKept {
			made = append(made, outcomeOf(a))
		}
	}
	text := enumerate(asked)
	if len(asked) == 0 {
		text = "changes no annotation with the prefix"
	}
	switch {
	case w.conflict():
		return text + ", and conflicts with the field manager that set it"
	case w.blocked:
		return text + ", and is denied by " + w.policies()
	}
	return fmt.Sprintf("%s, and %s makes of it that %s", text, w.policies(), enumerate(made))
}

func (w drifted) policies() string {
	var list []string
	for _, p := range w.by {
		list = append(list, p.kind+" "+p.name)
	}
	return enumerate(list)
}

// outcomeOf says what is in place of what was sent.
func outcomeOf(a simulate.Annotation) string {
	switch {
	case a.After == nil:
		return a.Key + " is not stored"
	case a.Before != nil && *a.Before == *a.After:
		return fmt.Sprintf("%s stays %s", a.Key, shown(*a.After))
	}
	return fmt.Sprintf("%s is stored as %s", a.Key, shown(*a.After))
}

// remedy says how the template and the object come to have the same annotations.
func (d drift) remedy() string {
	var manifest, replicaSet []string
	var replicaSets string
	for _, w := range d.ways {
		for _, a := range w.annotations {
			switch {
			case !changes(a):
			case w.replicaSet != "":
				replicaSets = w.replicaSet
				replicaSet = append(replicaSet, argumentFor(a))
			default:
				manifest = append(manifest, inTheManifest(a))
			}
		}
	}
	var parts []string
	if len(manifest) > 0 {
		slices.Sort(manifest)
		parts = append(parts, fmt.Sprintf("Bring the manifest in line with the object (%s), or have someone authorised apply it.", strings.Join(slices.Compact(manifest), ", ")))
	}
	if len(replicaSet) > 0 {
		revision := simulate.ObjectRef{Namespace: d.object.Namespace, Name: replicaSets}
		parts = append(parts, "Before a rollback, have someone authorised bring the ReplicaSet in line: "+
			annotateCommand("replicasets.apps", revision, append([]string{"--overwrite"}, replicaSet...)...))
	}
	if len(parts) == 0 {
		return "Let the policies compare object with oldObject, so that annotations which stay as they are pass."
	}
	return strings.Join(parts, " ")
}

// inTheManifest is what a manifest's author does about an annotation.
func inTheManifest(a simulate.Annotation) string {
	if a.Before == nil {
		return "take out " + a.Key
	}
	return fmt.Sprintf("give %s the value %s", a.Key, shown(*a.Before))
}

// argumentFor is what kubectl annotate takes to bring a ReplicaSet in line.
func argumentFor(a simulate.Annotation) string {
	if a.Before == nil {
		return a.Key + "-"
	}
	return a.Key + "=" + *a.Before
}
