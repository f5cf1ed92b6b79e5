package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// driftID is the rule's: objects are only tried for it where it is applied.
const driftID = "template-drift"

// templateDrift: what an object was made from has not the annotations that the object has now, or the other way round, so that ordinary
// work breaks on the guard: the next apply, server-side apply or replace of what was applied last, or a rollback, would be blocked or
// altered. Each way is simulated and compared with the same without a change of the annotations, so it is silent about what would be refused anyway, and
// about templates that the object does not tell of. There is one finding for each object.
var templateDrift = rule{
	Rule: Rule{ID: driftID, Severity: Medium, Title: "The object's own template can't be sent again by an ordinary user"},
	find: findTemplateDrift,
}

func findTemplateDrift(ctx context.Context, v *view) ([]Finding, error) {
	drifts := map[simulate.ObjectRef]drift{}
	for _, d := range v.gathered.drifts {
		drifts[d.object] = d
	}
	rollbacks, err := v.rollbacks(ctx)
	if err != nil {
		return nil, err
	}
	for _, d := range rollbacks {
		d.ways = append(slices.Clone(drifts[d.object].ways), d.ways...)
		drifts[d.object] = d
	}
	var findings []Finding
	for _, d := range drifts {
		// A conflict is no matter of the guard: it is told where the guard is in the way, too.
		if slices.ContainsFunc(d.ways, func(w drifted) bool { return !w.conflict() }) {
			findings = append(findings, v.driftFinding(d))
		}
	}
	return findings, nil
}

func (v *view) driftFinding(d drift) Finding {
	return Finding{
		Subject: Subject{Kind: d.object.Kind, Namespace: d.object.Namespace, Name: d.object.Name, Field: "metadata.annotations"}, Distinct: distinctSet(d.keys()),
		Message:  "An ordinary user can't send the object's own template again as it is: " + d.told() + ".",
		Evidence: v.driftEvidence(d),
		Remedy:   d.remedy(),
	}
}

// keys are the annotations that are in the way.
func (d drift) keys() []string {
	var keys []string
	for _, w := range d.ways {
		for _, a := range w.annotations {
			keys = append(keys, a.Key)
		}
	}
	return keys
}

// driftEvidence is the change of annotations that one of the ways makes, where it alone comes to the same; else the audit of the object's
// namespace, which tries them all.
func (v *view) driftEvidence(d drift) string {
	for _, w := range d.ways {
		if w.conflict() || w.repeat == nil {
			continue
		}
		args := []string{"simulate", "as-user", OrdinaryUser().Username, d.resource + "/" + d.object.Name}
		if d.object.Namespace != "" {
			args = append(args, "-n", d.object.Namespace)
		}
		for _, key := range slices.Sorted(maps.Keys(w.repeat.Set)) {
			args = append(args, "--set", key+"="+w.repeat.Set[key])
		}
		for _, key := range w.repeat.Remove {
			args = append(args, "--remove", key)
		}
		return commandLine(append(args, "--past-authorization"), v.flags)
	}
	scope := []string{"-A"}
	switch {
	case d.object.Namespace != "":
		scope = []string{"-n", d.object.Namespace}
	case d.object.Kind == "Namespace":
		scope = []string{"-n", d.object.Name}
	}
	path := fmt.Sprintf("jsonpath={.findings[?(@.id==%q)].message}", driftID)
	return commandLine(append(append([]string{"audit"}, scope...), "-o", path), v.flags)
}
