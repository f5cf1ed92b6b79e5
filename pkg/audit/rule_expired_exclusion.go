package audit

import (
	"context"
	"fmt"
)

// expiredExclusion: an exclude-until in the past excludes nothing any more. It is silent where nobody says what time it is, see
// Options.Now.
var expiredExclusion = rule{
	Rule: Rule{ID: "expired-exclusion", Severity: Info, Title: "An exclusion is over"},
	find: findExpiredExclusion,
}

func findExpiredExclusion(_ context.Context, v *view) ([]Finding, error) {
	var findings []Finding
	for c := range v.carried() {
		if !expired(c.Annotation, v.now) {
			continue // an unreadable time is invalid-annotation-value's
		}
		f := v.finding(c)
		f.Distinct = c.Value
		f.Message = fmt.Sprintf("%s is %s, which is past: it no longer keeps the downscaler from %s.%s", c.Key, shown(c.Value), c.scaling(), c.who())
		f.Remedy = "Remove it, or set a time to come: " + c.remove()
		findings = append(findings, f)
	}
	return findings, nil
}

// scaling is what an annotation on this object is about.
func (c carried) scaling() string {
	if c.row.isNamespace() {
		return "scaling the workloads of the namespace"
	}
	return "scaling the object"
}
