package cases

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/reply"
)

// unmet says how an answer is not the one that is expected.
func (e Expectation) unmet(answer Answer) []string {
	answer.Reply = answer.Canonical()
	var found []string
	want := func(met bool, format string, args ...any) {
		if !met {
			found = append(found, fmt.Sprintf(format, args...))
		}
	}
	want(answer.Verdict == e.Verdict, "the verdict is %q, not %q", answer.Verdict, e.Verdict)
	found = append(found, e.unmetStatus(answer)...)
	for _, warning := range e.Warnings {
		want(slices.Contains(answer.Warnings, warning), "missing warning: %s", warning)
	}
	for _, warning := range answer.Warnings {
		want(slices.Contains(e.Warnings, warning), "unexpected warning: %s", warning)
	}
	audit := reply.Reply{Audit: e.Audit}.Canonical().Audit
	want(maps.Equal(answer.Audit, audit), "the audit annotations are %s, not %s", reply.JSON(answer.Audit), reply.JSON(audit))
	if answer.Stored != nil && e.Stored != nil {
		for _, missing := range lacks(answer.Stored, e.Stored, "") {
			found = append(found, "stored: "+missing)
		}
	}
	want(e.Stored == nil || answer.Stored != nil, "nothing is stored")
	return found
}

func (e Expectation) unmetStatus(answer Answer) []string {
	switch {
	case answer.Status == nil:
		return nil // its verdict says it
	case e.Verdict != Denied:
		return []string{"it is denied: " + answer.Status.Message}
	}
	var found []string
	want := func(met bool, format string, args ...any) {
		if !met {
			found = append(found, fmt.Sprintf(format, args...))
		}
	}
	status := *answer.Status
	want(status.Code == e.Code, "the code is %d, not %d", status.Code, e.Code)
	want(string(status.Reason) == e.Reason, "the reason is %s, not %s", status.Reason, e.Reason)
	want(e.Message == "" || status.Message == e.Message, "the message is\n    %s\n  not\n    %s", status.Message, e.Message)
	for _, part := range e.Contains {
		want(strings.Contains(status.Message, part), "the message has no %q: %s", part, status.Message)
	}
	if len(e.OneOf) == 0 {
		return found
	}
	want(slices.Contains(e.OneOf, status.Message), "the message is none of oneOf: %s", status.Message)
	for _, message := range e.OneOf {
		possible := len(answer.Possible) == 0 // only the plugin says what is possible
		for _, other := range answer.Possible {
			possible = possible || other.Message == message
		}
		want(possible, "the plugin does not know that the message may be %s", message)
	}
	return found
}
