package audit

import (
	"context"
	"fmt"
)

// silentMutation: a change is taken back and whoever made it isn't told. The request succeeds without a warning, so that kubectl says "annotated". There is
// one finding a policy.
var silentMutation = rule{
	Rule: Rule{ID: "silent-mutation", Severity: Low, Title: "A change is taken back without a warning to whoever made it"},
	find: findSilentMutation,
}

func findSilentMutation(_ context.Context, v *view) ([]Finding, error) {
	var findings []Finding
	for _, p := range v.policies {
		u := v.undoing(p, func(s *stop) bool { return len(s.result.Warnings) == 0 })
		if len(u.stops) == 0 {
			continue
		}
		shown := u.shown()
		findings = append(findings, Finding{
			Subject: Subject{Kind: p.kind, Name: p.name},
			Message: fmt.Sprintf("The policy takes back %s, and the request succeeds without a warning: kubectl says that it was done, and what is stored is the same as before. For example %s.",
				u.what(), shown),
			Evidence: v.evidence(shown, ""),
			Remedy: "Refuse such changes by a ValidatingAdmissionPolicy in its place, whose message says who may make them; a mutating policy can't warn (" +
				inTheChart + ".mutateUnauthorizedAnnotationsAddition: false). Else tell those who write the objects.",
		})
	}
	return findings, nil
}
