package audit

import (
	"context"
	"errors"
	"fmt"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
)

// invalidAnnotationValue: a value that the downscaler can't use. What it does about it depends on the annotation and the kind, see
// downscaler.Effect: on a workload it leaves the object alone, and on a namespace it exits, so that anyone who may annotate a
// namespace stops it everywhere.
var invalidAnnotationValue = rule{
	Rule: Rule{ID: "invalid-annotation-value", Severity: Medium, Title: "An annotation has a value that the downscaler can't use"},
	find: findInvalidAnnotationValue,
}

func findInvalidAnnotationValue(_ context.Context, v *view) ([]Finding, error) {
	var findings []Finding
	for c := range v.carried() {
		problem := (*downscaler.Problem)(nil)
		if !errors.As(downscaler.Check(c.Key, c.Value, c.row.groupKind()), &problem) {
			continue
		}
		f := v.finding(c)
		f.Severity, f.Distinct = severityOfEffect(problem.Effect), c.Value
		f.Message = fmt.Sprintf("%s is %s. It goes wrong at byte %d: %s.%s %s%s",
			c.Key, shown(c.Value), problem.At, problem.Text, nearestValue(problem), problem.Effect.Sentence(), c.who())
		f.Remedy = c.correct(problem)
		findings = append(findings, f)
	}
	return findings, nil
}

// severityOfEffect: what stops the downscaler everywhere weighs more, and what it only writes an event about less than the rule's own.
func severityOfEffect(effect downscaler.Effect) Severity {
	switch effect {
	case downscaler.StopsScan:
		return High
	case downscaler.EventOnly:
		return Low
	case downscaler.SkipsObject, downscaler.FailsScaling:
	}
	return Medium
}

func nearestValue(problem *downscaler.Problem) string {
	if problem.Nearest == "" {
		return ""
	}
	return fmt.Sprintf(" The nearest valid value is %s.", shown(problem.Nearest))
}

// correct is the command that sets the nearest valid value; where there is none, it says what one looks like.
func (c carried) correct(problem *downscaler.Problem) string {
	if problem.Nearest != "" {
		return "Set the nearest valid value, if it is what was meant: " + c.set(problem.Nearest)
	}
	if example := downscaler.FormOf(c.Key).Example(); downscaler.Check(c.Key, example, c.row.groupKind()) == nil {
		return fmt.Sprintf("Set a valid value, such as %q, or remove the annotation: %s", example, c.remove())
	}
	return "Set a valid value, or remove the annotation: " + c.remove()
}

// usable is a value itself if an annotation takes it, else the nearest one that it takes.
func usable(key, value string, on Object) (string, bool) {
	problem := (*downscaler.Problem)(nil)
	if !errors.As(downscaler.Check(key, value, on.groupKind()), &problem) {
		return value, true
	}
	return problem.Nearest, problem.Nearest != ""
}
