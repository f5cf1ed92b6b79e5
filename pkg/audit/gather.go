package audit

import (
	"fmt"
	"maps"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// gathered is what is kept of the objects tried: a worker's own until it is merged.
type gathered struct {
	rows []Object
	// incomplete and assumptions are those of all probes, each once.
	incomplete, assumptions map[inventory.Gap]bool

	tallies map[place]*tally
	samples map[schema.GroupKind]*samples
	// matched are the policies whose rules and selectors some probe met, evaluated those of which an expression ran beyond the
	// matchConditions, acted those that did something on account of an annotation.
	matched, evaluated, acted map[policyName]bool
	// keeping are the policies that prevented some removal.
	keeping map[policyName]bool
	// failures are where expressions fail and changes pass.
	failures map[failure]*failed
	// missing are the parameters that bindings don't find.
	missing reaches[missing]
	// letThrough has the bindings that only warned of changes or audited them.
	letThrough reaches[simulate.By]
	// anyway are the policies that refuse changes with an annotation or without.
	anyway reaches[policyName]
	// disorders are where the order of mutating policies decides, by the policies that take part.
	disorders map[string]*disorder
	// stops are changes that the guard prevents, openings those that pass.
	stops    map[stopKey]*stop
	openings map[opening]*opened
	// refusals are the expressions that fail on requests with and without a change, so that every such request is refused.
	refusals reaches[refusal]
	// drifts are the objects whose own template would be blocked or altered.
	drifts []drift
	scaled scaledKinds
}

func newGathered() *gathered {
	return &gathered{
		incomplete: map[inventory.Gap]bool{}, assumptions: map[inventory.Gap]bool{},
		tallies: map[place]*tally{}, samples: map[schema.GroupKind]*samples{},
		matched: map[policyName]bool{}, evaluated: map[policyName]bool{}, acted: map[policyName]bool{},
		keeping: map[policyName]bool{}, failures: map[failure]*failed{}, missing: reaches[missing]{}, letThrough: reaches[simulate.By]{}, anyway: reaches[policyName]{},
		disorders: map[string]*disorder{}, stops: map[stopKey]*stop{}, openings: map[opening]*opened{}, refusals: reaches[refusal]{},
	}
}

// note keeps what was not known when the requester's probes were tried. Only what left a probe open is incomplete; what the
// API server or a policy refuses in any case is an assumption: the guard behind it could not be tried.
func (g *gathered) note(object inventory.Object, subresource string, all []tried) {
	for _, t := range all {
		for _, gap := range t.result.Assumptions {
			g.assumptions[gap] = true
		}
		for _, gap := range t.gaps(object, subresource) {
			g.incomplete[gap] = true
		}
	}
}

func untried(object inventory.Object, subresource string, t tried) inventory.Gap {
	what := fmt.Sprintf("guard of %s for %s", t.Column, typeOf(object.Kind))
	if subresource != "" {
		what += "/" + subresource
	}
	if object.Kind.Namespaced {
		what += " in namespace " + object.Meta().GetNamespace()
	}
	return inventory.Gap{What: what, Why: t.why}
}

// tally counts the ordinary user's probes of one object.
func (g *gathered) tally(object inventory.Object, all []tried, bypasses []Bypass) {
	at := place{object.Kind.Kind.GroupKind(), object.Meta().GetNamespace()}
	if g.tallies[at] == nil {
		g.tallies[at] = newTally(object.Kind)
	}
	g.tallies[at].add(all)
	if g.samples[at.kind] == nil {
		g.samples[at.kind] = &samples{}
	}
	g.samples[at.kind].add(object, guardOf(all), bypasses)
	for _, t := range all {
		g.noteSteps(t)
	}
	g.letThrough.merge(letting(object, all))
	g.anyway.merge(refusingAnyway(object, all))
	mergeDisorders(g.disorders, disordered(object, all))
	mergeFailures(g.failures, failing(all))
	g.missing.merge(missingParams(object, all))
	g.noteStops(object, all)
	g.noteOpenings(object, all)
	g.refusals.merge(refusing(object, all))
}

func (g *gathered) noteSteps(t tried) {
	for _, s := range t.result.Steps {
		if s.Policy != "" && s.Decision != policy.NotMatched {
			g.matched[policyName{s.Kind, s.Policy}] = true
		}
		if ran(s) {
			g.evaluated[policyName{s.Kind, s.Policy}] = true
		}
	}
	for _, s := range t.acting {
		g.acted[policyName{s.Kind, s.Policy}] = true
		if t.Column == ColumnRemove && t.protection.Prevents() {
			g.keeping[policyName{s.Kind, s.Policy}] = true
		}
	}
}

// ran says whether a policy's own expressions decided a step, beyond its matchConditions.
func ran(s policy.Step) bool {
	switch s.Decision {
	case policy.NotMatched, policy.Skipped, policy.Error, policy.ErrorIgnored, policy.NotSimulated:
		return false
	}
	return s.Policy != ""
}

func (g *gathered) merge(other *gathered) {
	g.rows = append(g.rows, other.rows...)
	for _, sets := range [][2]map[inventory.Gap]bool{{g.incomplete, other.incomplete}, {g.assumptions, other.assumptions}} {
		maps.Copy(sets[0], sets[1])
	}
	for at, t := range other.tallies {
		if g.tallies[at] == nil {
			g.tallies[at] = newTally(t.kind)
		}
		g.tallies[at].merge(t)
	}
	for kind, s := range other.samples {
		if g.samples[kind] == nil {
			g.samples[kind] = &samples{}
		}
		g.samples[kind].merge(s)
	}
	maps.Copy(g.matched, other.matched)
	maps.Copy(g.evaluated, other.evaluated)
	maps.Copy(g.acted, other.acted)
	maps.Copy(g.keeping, other.keeping)
	mergeFailures(g.failures, other.failures)
	g.missing.merge(other.missing)
	g.letThrough.merge(other.letThrough)
	g.anyway.merge(other.anyway)
	mergeDisorders(g.disorders, other.disorders)
	for key, s := range other.stops {
		g.keepStop(key, s)
	}
	for key, found := range other.openings {
		g.keepOpening(key, found)
	}
	g.refusals.merge(other.refusals)
	g.drifts = append(g.drifts, other.drifts...)
	g.scaled.merge(other.scaled)
}
