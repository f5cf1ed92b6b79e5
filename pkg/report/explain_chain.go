package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// chain is the chain of steps that one request went through, the warnings on the way, and what of it
// is not known. The kinds of policies that could not be read are unread.
func chain(result simulate.Result, unread []string, options Options) string {
	var b strings.Builder
	for _, step := range result.Steps {
		explainStep(&b, step, options.Width)
	}
	if !slices.ContainsFunc(result.Steps, func(s policy.Step) bool { return !grants(s) }) && result.Outcome != simulate.Unknown {
		b.WriteString("  No policy had a say.\n")
	}
	for _, warning := range result.Warnings {
		b.WriteString(indented("  A warning:     ", escape(oneLine(warning)), options.Width))
	}
	for _, line := range notKnown(result, unread) {
		b.WriteString(indented("  Not known:     ", line, options.Width))
	}
	return b.String()
}

// notKnown is what may decide a result otherwise.
func notKnown(result simulate.Result, unread []string) []string {
	var lines []string
	for _, gap := range result.Incomplete {
		lines = append(lines, escape(oneLine(gap.What+": "+gap.Why)))
	}
	if result.Outcome == simulate.Unknown && len(unread) > 0 {
		lines = append(lines, "whether a policy has a say, since these could not be read: "+strings.Join(unread, ", "))
	}
	return lines
}

// unreadPolicies are the kinds of policies, bindings and webhooks that could not be read.
func unreadPolicies(report *simulate.Report) []string {
	var kinds []string
	for _, gap := range report.Incomplete {
		name, isPolicy := strings.CutSuffix(gap.What, ".admissionregistration.k8s.io")
		if name = escape(name); isPolicy && !slices.Contains(kinds, name) {
			kinds = append(kinds, name)
		}
	}
	return kinds
}

func explainStep(b *strings.Builder, step policy.Step, width int) {
	label := fmt.Sprintf("  %-13s  ", escape(string(step.Phase)))
	b.WriteString(indented(label, origin(step)+": "+decisionWord(step.Decision), width))
	detail := strings.Repeat(" ", len(label)+2)
	for _, line := range clauses(step) {
		b.WriteString(indented(detail, line, width))
	}
}

// clauses are what made a step decide as it did: its condition or rule, the expression, the message,
// and what it changed.
func clauses(step policy.Step) []string {
	var lines []string
	add := func(label, text string) {
		if text != "" {
			lines = append(lines, label+escape(text))
		}
	}
	add("matchCondition: ", step.Because.MatchCondition)
	add("because of: ", step.Because.Rule)
	add("expression: ", step.Because.Expression)
	add("message: ", oneLine(step.Message))
	for _, change := range step.Changes {
		lines = append(lines, "changed "+escape(change.Key)+": "+valueOrAbsent(change.Before)+" to "+valueOrAbsent(change.After))
	}
	return lines
}

func valueOrAbsent(value *string) string {
	if value == nil {
		return "absent"
	}
	return quote(*value, 200)
}
