package report

import (
	"fmt"
	"strings"

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
	unread := unreadPolicies(report)
	var order []string
	groups := map[string]*explained{}
	for _, result := range shown {
		text := chain(result, unread, options)
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
	return indented(label, escape(oneLine(text)), options.Width)
}
