package report

import (
	"fmt"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// explained are requests that went through the same steps.
type explained struct {
	first   simulate.Result
	chain   string
	objects []string
}

// explain shows, below the table, every step behind every object that the table shows. Objects with
// the same steps share one explanation.
func explain(report *simulate.Report, options Options) string {
	shown, _ := shownResults(report, options)
	var order []string
	groups := map[string]*explained{}
	for _, result := range shown {
		text := chain(result, options)
		key := strings.Join([]string{result.Operation, result.Subresource, string(result.Outcome), text}, "\x00")
		if groups[key] == nil {
			groups[key] = &explained{first: result, chain: text}
			order = append(order, key)
		}
		groups[key].objects = append(groups[key].objects, located(result.Object))
	}
	var b strings.Builder
	for _, key := range order {
		group := groups[key]
		b.WriteString("\n" + group.title(options) + group.chain + group.answer(options))
	}
	return b.String()
}

// title names the objects, what was asked of them, and what came of it.
func (e *explained) title(options Options) string {
	few := readableWhats
	if options.ShowAll {
		few = len(e.objects)
	}
	what := operationWord(e.first)
	if e.first.Subresource != "" {
		what += " of " + escape(e.first.Subresource)
	}
	title := firstOf(e.objects, few, ", ") + ": " + what + " " + outcomeWord(e.first.Outcome, options)
	return indented("", title, options.Width)
}

// answer is what the API server says where the request fails; it names the object.
func (e *explained) answer(options Options) string {
	status := e.first.Status
	if status == nil {
		return ""
	}
	label := "  The answer:    "
	if len(e.objects) > 1 {
		label = "  The answer to the first: "
	}
	text := fmt.Sprintf("%d %s: %s", status.Code, status.Reason, status.Message)
	return indented(label, escape(text), options.Width)
}

// chain is the chain of steps that one request went through, the warnings on the way, and what of it
// is not known.
func chain(result simulate.Result, options Options) string {
	var b strings.Builder
	if len(result.Steps) == 0 {
		b.WriteString("  No policy had a say.\n")
	}
	for _, step := range result.Steps {
		explainStep(&b, step, options.Width)
	}
	for _, warning := range result.Warnings {
		b.WriteString(indented("  A warning:     ", escape(warning), options.Width))
	}
	for _, gap := range result.Incomplete {
		b.WriteString(indented("  Not known:     ", escape(gap.What+": "+gap.Why), options.Width))
	}
	return b.String()
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
	add("message: ", step.Message)
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
