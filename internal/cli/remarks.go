package cli

import (
	"io"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/report"
)

// remarks go to standard error beside a report.
type remarks struct {
	flags  *outputFlags
	stderr io.Writer
	table  bool // the report on standard output says in words what is missing
}

// remarksBeside are the remarks beside a report's outputs.
func remarksBeside[R any](outputs report.Outputs[R], flags *outputFlags, stderr io.Writer) remarks {
	return remarks{flags: flags, stderr: stderr, table: forPeople(outputs)}
}

// forPeople says whether what goes to standard output is a table.
func forPeople[R any](outputs report.Outputs[R]) bool {
	return slices.ContainsFunc(outputs, func(output report.Output[R]) bool {
		return output.File == "" && (output.Format == "table" || output.Format == "wide")
	})
}

func (r remarks) say(format string, args ...any) { r.flags.remark(r.stderr, format, args...) }

// notes say what looks like a mistake.
func (r remarks) notes(sentences []string) {
	for _, sentence := range sentences {
		r.say("note: %s", sentence)
	}
}

// incomplete tells that something was not looked at where the report on standard output is for machines, the commands that
// give every right where some are missing, and the way on where it is the policies that could not be read.
func (r remarks) incomplete(gaps []inventory.Gap, unread []inventory.Gap, grants ...string) {
	if len(gaps) > 0 && !r.table {
		more := ""
		if len(gaps) > 1 {
			more = "; the report lists the others"
		}
		r.say("incomplete: %s: %s%s", gaps[0].What, gaps[0].Why, more)
	}
	if len(gaps) > 0 {
		for _, line := range grantWords(grants) {
			r.say("%s", line)
		}
	}
	switch {
	case len(unread) > 0 && len(grants) > 0:
		r.say("hint: without them, use --from with a snapshot of someone who has them, give the policies with --policies FILE --only-proposed, or ask the API server itself with verify as-me")
	case len(unread) > 0:
		r.say("hint: what the admission policies are is not known in full. Give them with --policies FILE --only-proposed, or use --from with a snapshot of someone who may read them")
	case len(gaps) > 0 && len(grants) > 0:
		r.say("hint: without them, use --from with a snapshot of someone who has them")
	}
}

// grantWords are the commands that give the rights which are missing, and what they are for.
func grantWords(grants []string) []string {
	if len(grants) == 0 {
		return nil
	}
	return append([]string{"hint: rights are missing; these commands give all of those that are needed (and where policies have parameters, get and list of their kind is, too):"}, grants...)
}
