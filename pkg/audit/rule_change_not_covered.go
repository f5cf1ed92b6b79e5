package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// changeNotCovered: an ordinary user's change of an annotation that the downscaler reads passes on a kind that the guard lists, by a clause that no other
// rule is about: an operation that no rule lists, a rule that leaves objects out again, a matchCondition that is false, validations that know some keys and
// values only. Beside the changes that every object is tried with, each sort of change that is prevented is tried with the other keys and values, and under another name.
var changeNotCovered = rule{
	Rule: Rule{ID: "change-not-covered", Severity: High, Title: "A change passes on a kind that the guard is there for"},
	find: findChangeNotCovered,
}

func findChangeNotCovered(ctx context.Context, v *view) ([]Finding, error) {
	guards, err := v.enforcedGuards(ctx)
	if err != nil || len(guards) == 0 || !v.total.any(Protection.Prevents) {
		return nil, err
	}
	all := uncoveredBy{}
	if err := v.uncoveredAsTheyAre(ctx, guards, all); err != nil {
		return nil, err
	}
	partly, err := v.uncoveredOtherwise(ctx, guards, all)
	if err != nil {
		return nil, err
	}
	var findings []Finding
	for _, key := range slices.Sorted(maps.Keys(all)) {
		findings = append(findings, all[key].finding(ctx, v, partly))
	}
	return findings, ctx.Err()
}

// uncoveredAsTheyAre are the changes that every object was tried with.
func (v *view) uncoveredAsTheyAre(ctx context.Context, guards []guardPolicy, all uncoveredBy) error {
	resources, known := v.scaledResources(ctx)
	for _, t := range v.kinds {
		classes := v.openingsOf(ctx, guards, t)
		if len(classes) == 0 || known && !isNamespace(t.kind) && !resources[t.kind.Resource.GroupResource()] {
			continue
		}
		if left, err := v.leavesOut(ctx, t); err != nil || len(left) > 0 {
			if err != nil {
				return err
			}
			continue
		}
		for _, class := range classes {
			probe, found, err := v.openProbe(ctx, class)
			if err != nil {
				return err
			}
			if !found {
				continue
			}
			c, found := v.causeOf(ctx, guards, probe)
			if !found || c.by() == "namespaceSelector" && isNamespace(t.kind) {
				continue // a namespace without workloads of such kinds
			}
			told, err := v.explained(ctx, c)
			if err != nil {
				return err
			}
			if !told {
				all.of(c).add(t, class.column, class.objects, exampleOf(tried{Probe: probe}))
			}
		}
	}
	return nil
}

// class are openings of a kind that have one cause, as far as can be told before it is looked for.
type class struct {
	opening
	opened
}

// openingsOf puts the openings of a kind together in which the same selectors leave the namespace out.
func (v *view) openingsOf(ctx context.Context, guards []guardPolicy, t *tally) []class {
	byKey := map[string]*class{}
	for at, found := range v.gathered.openings {
		if at.kind != t.kind.Kind.GroupKind() {
			continue
		}
		key := fmt.Sprint(at.column, at.seenBy, at.known, v.selectorsOut(ctx, guards, at.namespace))
		if byKey[key] == nil {
			byKey[key] = &class{opening: at}
		}
		byKey[key].objects += found.objects
		byKey[key].shown = lesser(byKey[key].shown, found.shown)
	}
	var classes []class
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		classes = append(classes, *byKey[key])
	}
	return classes
}

// selectorsOut are the namespaceSelectors that leave a namespace out.
func (v *view) selectorsOut(ctx context.Context, guards []guardPolicy, namespace string) []string {
	var out []string
	for _, p := range guards {
		for _, s := range selectings(p) {
			if s.match.NamespaceSelector != nil && namespace != "" && v.selectorLeavesOut(ctx, s, namespace) {
				out = append(out, fmt.Sprint(s.subject, metav1.FormatLabelSelector(s.match.NamespaceSelector)))
			}
		}
	}
	return out
}

// openProbe is the change of an opening; where the downscaler does not read its key, one like it of a key that it does, if that passes.
func (v *view) openProbe(ctx context.Context, c class) (Probe, bool, error) {
	again, found, err := v.probeAgain(ctx, *c.shown)
	if err != nil || !found || c.known {
		return again.Probe, found && passes(again.protection), err
	}
	object, err := v.inventory.Get(ctx, c.shown.kind, c.shown.object.Namespace, c.shown.object.Name)
	if err != nil {
		return Probe{}, false, fmt.Errorf("reading %s/%s again: %w", typeOf(c.shown.kind), c.shown.object.Name, err)
	}
	for _, probe := range further(&stop{tried: tried{Probe: Probe{Column: c.column}}, object: object}) {
		t := v.trier("")
		if one := t.tryProbe(ctx, probe, &controls{trier: t, object: object}); passes(one.protection) && len(one.orders) == 0 {
			return probe, true, nil
		}
	}
	return Probe{}, false, nil
}

// uncoveredOtherwise are changes like those that are prevented.
func (v *view) uncoveredOtherwise(ctx context.Context, guards []guardPolicy, all uncoveredBy) (map[like]bool, error) {
	causes := map[string]*cause{}
	passed, partly := v.furtherChanges(ctx, guards)
	for _, p := range passed {
		once := fmt.Sprint(p.named, p.named && p.Key != "", typeOf(p.Object.Kind), p.Column, seenBy(p.result.Steps))
		if _, looked := causes[once]; !looked {
			causes[once] = nil
			c, found := v.causeOf(ctx, guards, p.Probe)
			if !found || p.named && (c.by() == "namespaceSelector" || c.by() == "objectSelector") {
				continue
			}
			told, err := v.explained(ctx, c)
			if err != nil {
				return nil, err
			}
			if !told {
				causes[once] = &c
			}
		}
		if c := causes[once]; c != nil {
			all.of(*c).like(ctx, v, p)
		}
	}
	return partly, ctx.Err()
}
