package report

import (
	"net/http"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// change says in words what a request asks: added "true".
func (s simulationStyle) change(result simulate.Result, annotation *simulate.Annotation) string {
	const untouched = "no downscaler/ annotation"
	operation := operationWord(result)
	switch {
	case neverMerged(result):
		return none
	case annotation == nil && result.Operation == "UPDATE":
		return untouched + " changed"
	case annotation == nil:
		return operation + ", " + untouched
	}
	words := s.changeWords(annotation)
	if result.Operation == "UPDATE" {
		return words
	}
	return operation + ", " + words
}

func (s simulationStyle) changeWords(a *simulate.Annotation) string {
	switch a.Change {
	case simulate.Added:
		return "added " + s.value(a.Proposed)
	case simulate.Edited:
		return "edited " + s.value(a.Before) + " to " + s.value(a.Proposed)
	case simulate.Removed:
		return "removed " + s.value(a.Before)
	case simulate.Unchanged:
		return "unchanged " + s.value(a.Proposed)
	case simulate.None:
		return "not in the request"
	default:
		return escape(strings.ToLower(string(a.Change)))
	}
}

func (s simulationStyle) value(value *string) string {
	if value == nil {
		return ""
	}
	return quote(*value, s.valueLimit)
}

// neverMerged says of an update that the API server refused it, as a conflict or for want of the object, before there was an
// object as proposed: what is missing from that one was not removed.
func neverMerged(result simulate.Result) bool {
	steps := slices.DeleteFunc(slices.Clone(result.Steps), func(s policy.Step) bool { return s.Phase == policy.PhaseAuthorization })
	if result.Operation != "UPDATE" || result.Status == nil || len(steps) != 1 {
		return false
	}
	// Where the requester may not even ask, the status is authorization's.
	code := result.Status.Code
	early := code == http.StatusConflict || code == http.StatusNotFound || unauthorized(result)
	return early && steps[0].Phase == policy.PhaseValidation && steps[0].Kind == "API" &&
		!slices.ContainsFunc(result.Annotations, func(a simulate.Annotation) bool { return a.Proposed != nil })
}

func unauthorized(result simulate.Result) bool {
	return slices.ContainsFunc(result.Steps, func(s policy.Step) bool {
		return s.Phase == policy.PhaseAuthorization && s.Decision == policy.Denied
	})
}
