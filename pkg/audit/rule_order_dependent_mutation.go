package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// orderDependentMutation: the API server runs mutating policies, their bindings and their parameters in no fixed order, and two orders come to
// different annotations, or only one of them to a refusal. It is found by a probe's whole way through the chain in several orders, so it is
// silent where reinvocation or a validating policy makes up for the order, and where only something else than annotations differs. There is
// one finding for each two that must not change places.
var orderDependentMutation = rule{
	Rule: Rule{ID: "order-dependent-mutation", Severity: Medium, Title: "The order of mutating policies, which is not fixed, decides what is stored"},
	find: findOrderDependentMutation,
}

func findOrderDependentMutation(ctx context.Context, v *view) ([]Finding, error) {
	disputes := map[pair]*dispute{}
	for _, by := range slices.Sorted(maps.Keys(v.gathered.disorders)) {
		d := v.gathered.disorders[by]
		for _, column := range examplesFirst {
			if d.examples[column] == nil {
				continue
			}
			at, found, err := v.dispute(ctx, *d.examples[column])
			if err != nil {
				return nil, err
			}
			if found == nil {
				continue
			}
			if disputes[at] == nil {
				disputes[at] = found
			}
			disputes[at].merge(&disorder{kinds: d.kinds, examples: map[Column]*example{column: d.examples[column]}})
		}
	}
	var findings []Finding
	for at, d := range disputes {
		findings = append(findings, v.orderFinding(ctx, at, d))
	}
	return findings, nil
}

func (v *view) orderFinding(ctx context.Context, at pair, d *dispute) Finding {
	first, second := at.names()
	var changes []string
	for _, column := range Columns() {
		if d.examples[column] != nil {
			changes = append(changes, changesOf[column])
		}
	}
	return Finding{
		Subject: Subject{Kind: kindMutating, Name: at.first.Policy}, Distinct: distinct(fmt.Sprint(at.first), fmt.Sprint(at.second)),
		Message: fmt.Sprintf("The API server runs mutating policies in no fixed order, and it hangs on that of %s and %s what an ordinary user's %s come to (%s). For example %s: with %s first, %s; with %s first, %s.",
			first, second, enumerate(changes), enumerate(slices.Sorted(maps.Keys(d.kinds))), d.shown, first, d.before.against(d.after), second, d.after.against(d.before)),
		Evidence: v.evidence(*d.shown, ""),
		Remedy:   v.orderRemedy(ctx, at, d),
	}
}

// against says what an order comes to, as far as another comes to something else.
func (o ordered) against(other ordered) string {
	stored, refused, _ := o.outcome()
	if refused {
		return "the request is refused"
	}
	otherStored, otherRefused, _ := other.outcome()
	if otherRefused {
		return "the request passes"
	}
	keys := maps.Clone(otherStored)
	maps.Copy(keys, stored)
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		value, there := stored[key]
		otherValue, otherThere := otherStored[key]
		switch {
		case there == otherThere && value == otherValue:
		case there:
			parts = append(parts, fmt.Sprintf("%s: %q is stored", key, value))
		default:
			parts = append(parts, key+" is not stored")
		}
	}
	return strings.Join(parts, ", ")
}
