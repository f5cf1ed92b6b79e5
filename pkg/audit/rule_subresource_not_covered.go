package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// subresourceNotCovered: a change that is prevented on the object itself passes through /status, or through a namespace's /finalize,
// which write annotations, too. Every subresource is tried; those of custom resources keep the metadata as it is, and
// are found to. There is one finding for each policy that leaves subresources out, with all of them.
var subresourceNotCovered = rule{
	Rule: Rule{ID: "subresource-not-covered", Severity: High, Title: "A change that is prevented on the object passes through a subresource"},
	find: findSubresourceNotCovered,
}

// leak is a subresource through which changes pass that a policy prevents on the object.
type leak struct {
	resource string // such as deployments.apps/status
	columns  []string
	shown    *example
	sub      string
}

func findSubresourceNotCovered(ctx context.Context, v *view) ([]Finding, error) {
	var order []policyName
	leaks := map[policyName][]leak{}
	for _, t := range v.kinds {
		for _, sub := range Subresources(t.kind) {
			found := v.leaksThrough(ctx, t, sub)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			for by, l := range found {
				if !slices.Contains(order, by) {
					order = append(order, by)
				}
				leaks[by] = append(leaks[by], *l)
			}
		}
	}
	slices.SortFunc(order, comparePolicyNames)
	var findings []Finding
	for _, by := range order {
		findings = append(findings, v.subresourceFinding(by, leaks[by]))
	}
	return findings, nil
}

// leaksThrough tries the best guarded objects of a kind, and those whose guard was got round, through a subresource. Each leak is
// that of the policy which prevents the first of an object's changes on the object itself.
func (v *view) leaksThrough(ctx context.Context, t *tally, sub string) map[policyName]*leak {
	leaks := map[policyName]*leak{}
	for _, object := range v.sampleOf(t.kind).toTry() {
		main := v.trier("").try(ctx, object)
		var found *leak
		for _, through := range v.trier(sub).try(ctx, object) {
			at := slices.IndexFunc(main, func(m tried) bool { return m.Column == through.Column && m.Key == through.Key })
			if at < 0 || len(main[at].acting) == 0 || !main[at].protection.Prevents() || !passes(through.protection) || len(through.orders) > 0 {
				continue
			}
			if found == nil {
				by := policiesOf(main[at].acting)[0]
				if leaks[by] == nil {
					leaks[by] = &leak{resource: typeOf(t.kind) + "/" + sub, sub: sub}
				}
				found = leaks[by]
			}
			e := exampleOf(through)
			found.shown = lesser(found.shown, &e)
			if !slices.Contains(found.columns, string(through.Column)) {
				found.columns = append(found.columns, string(through.Column))
			}
		}
	}
	return leaks
}

func (v *view) subresourceFinding(by policyName, leaks []leak) Finding {
	var list, resources []string
	best := leaks[0]
	for _, l := range leaks {
		list = append(list, fmt.Sprintf("%s (%s)", l.resource, strings.Join(l.columns, ", ")))
		resources = append(resources, l.resource)
		if best.shown.onCopy() && !l.shown.onCopy() {
			best = l
		}
	}
	return Finding{
		Subject:  Subject{Kind: by.kind, Name: by.name, Field: "spec.matchConstraints.resourceRules"},
		Message:  fmt.Sprintf("What the policy prevents on the objects themselves passes through %s.", strings.Join(list, ", ")),
		Evidence: v.evidence(*best.shown, best.sub),
		Remedy:   fmt.Sprintf("List the subresources in the resourceRules, too: %s.", strings.Join(resources, ", ")),
		Reach:    ofKinds(resources),
	}
}
