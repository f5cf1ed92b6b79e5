package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// incompatibleAnnotations: annotations that the downscaler refuses on one object together. It does then what it does about a value
// that it can't read. A workload and its namespace may well have one each. There is one finding for each object.
var incompatibleAnnotations = rule{
	Rule: Rule{ID: "incompatible-annotations", Severity: Medium, Title: "The downscaler refuses two annotations on one object"},
	find: findIncompatibleAnnotations,
}

func findIncompatibleAnnotations(_ context.Context, v *view) ([]Finding, error) {
	var findings []Finding
	for _, row := range v.gathered.rows {
		conflicts := downscaler.Incompatible(row.values())
		if len(conflicts) == 0 {
			continue
		}
		effect := downscaler.UnusableOn(row.groupKind())
		findings = append(findings, Finding{
			Severity: severityOfEffect(effect), Distinct: fmt.Sprint(conflicts),
			Subject: Subject{
				Kind: row.Object.Kind, Namespace: row.Object.Namespace, Name: row.Object.Name,
				Field: inventory.FieldPath("metadata", "annotations", conflicts[0].First),
			},
			Message:  fmt.Sprintf("The object has %s. %s", enumerate(row.together(conflicts)), effect.Sentence()),
			Evidence: v.valuesEvidence(row),
			Remedy:   row.choose(conflicts),
		})
	}
	return findings, nil
}

// together lists the annotations that are in each other's way, with their values and field managers.
func (o Object) together(conflicts []downscaler.Conflict) []string {
	var list []string
	for _, a := range o.Annotations {
		if !slices.ContainsFunc(conflicts, func(c downscaler.Conflict) bool { return c.First == a.Key || c.Second == a.Key }) {
			continue
		}
		text := a.Key + " " + a.shown()
		if a.SetBy != "" {
			text += " (" + a.manager() + ")"
		}
		list = append(list, text)
	}
	return list
}

// shown is the value, as far as a snapshot has it.
func (a Annotation) shown() string {
	if inventory.HoldsRedacted(a.Value) {
		return "of a value that was not read"
	}
	return shown(a.Value)
}

// choose has a command for each annotation that may stay: it removes those which are in its way.
func (o Object) choose(conflicts []downscaler.Conflict) string {
	inTheWay := map[string][]string{}
	var order []string
	for _, c := range conflicts {
		for _, pair := range [][2]string{{c.First, c.Second}, {c.Second, c.First}} {
			if inTheWay[pair[0]] == nil {
				order = append(order, pair[0])
			}
			inTheWay[pair[0]] = append(inTheWay[pair[0]], pair[1]+"-")
		}
	}
	kept := map[string][]string{} // by command: the two periods get along
	var commands []string
	for _, key := range order {
		command := o.annotate(inTheWay[key]...)
		if kept[command] == nil {
			commands = append(commands, command)
		}
		kept[command] = append(kept[command], key)
	}
	var choices []string
	for _, command := range commands {
		choices = append(choices, fmt.Sprintf("to keep %s: %s", enumerate(kept[command]), command))
	}
	return "Choose: " + strings.Join(choices, "; or ")
}
